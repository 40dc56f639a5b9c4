# A server for tables: docker build --tag threespan . && docker run --publish 8000:8000 --volume threespan:/var/lib/threespan threespan
# With PostgreSQL, Redis and TLS: compose.yaml. How to run it: docs/host.md.

# The page and the wheel. Node comes from a Python package and stays in this stage.
FROM python:3.11-slim-bookworm AS wheel
WORKDIR /src
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
COPY . .
RUN PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
    pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

# An environment with the wheel and the tested versions of what it needs, without pip.
FROM python:3.11-slim-bookworm AS environment
COPY constraints.txt /
COPY --from=wheel /wheels /wheels
RUN python -m venv --without-pip /opt/threespan \
    && wheel="$(echo /wheels/threespan-*.whl)" \
    && pip --python /opt/threespan/bin/python install --no-cache-dir \
       --constraint /constraints.txt "${wheel}[postgres,redis]"

FROM python:3.11-slim-bookworm
RUN useradd --uid 10001 --home-dir /var/lib/threespan --no-create-home --shell /usr/sbin/nologin threespan \
    && install --directory --owner threespan --group threespan /var/lib/threespan
COPY --from=environment /opt/threespan /opt/threespan
ENV PATH=/opt/threespan/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    THREESPAN_STATE=/var/lib/threespan
USER threespan
WORKDIR /var/lib/threespan
# Tables and the database, if it is SQLite.
VOLUME ["/var/lib/threespan"]
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=8)"]
ENTRYPOINT ["threespan"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
