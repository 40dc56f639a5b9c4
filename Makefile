# From a machine with only Python 3.11, git, make and apt: `make play` and `make test`.
# Everything lives in .venv; a second run finds it ready.

# The first interpreter that really runs (a version manager's shim may not) and is new enough.
PYTHON ?= $(shell for python in python3.11 python3; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

# $(call apt_install,PACKAGES): installs them if we may, else says what is missing.
apt_install = { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "Installing $(1)" && apt-get -qq update >/dev/null && \
	DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $(1) >/dev/null; \
	else echo "Please install: $(1)" >&2; exit 1; fi; }

.PHONY: help play test test-most test-aside lint format bench docs coverage pictures clean gcc services page
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

PORT ?= 8000

play: $(VENV)/.installed page ## play in the browser; PORT=8000
	@$(BIN)/threespan play --port $(PORT)

test: lint gcc services page ## check style and types, run all tests: compiled, uncompiled, bounds-checked, in a browser
	@$(MAKE) --no-print-directory -j2 test-most test-aside

test-most:
	$(BIN)/python -m pytest --ignore tests/web

# On the second core: the kernels once more, uncompiled and bounds-checked, and the page. Shown when they are done.
test-aside:
	@mkdir -p build
	@$(call aside,uncompiled,NUMBA_DISABLE_JIT=1,-m kernels)
	@$(call aside,bounds-checked,NUMBA_BOUNDSCHECK=1,-m kernels)
	@$(call aside,page,,tests/web)

# $(call aside,NAME,VARIABLE=1,TESTS): tests that speak only of how they ended, unless they failed.
aside = env $(2) $(BIN)/python -m pytest $(3) -p no:cacheprovider >build/$(1).log 2>&1 && \
	{ echo; echo "$(1): $$(tail -1 build/$(1).log)"; } || { cat build/$(1).log; exit 1; }

page: $(BIN)/python ## build the page, if its sources have changed
	@$(BIN)/python web/build.py

lint: $(VENV)/.installed-dev ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.installed-dev ## format the code and fix what can be fixed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(VENV)/.installed gcc ## measure the speed against the C twins
	@$(BIN)/threespan bench

docs: $(VENV)/.installed ## write the generated pages
	@$(BIN)/python docs/generate.py

coverage: $(VENV)/.installed-dev ## show which kernel lines no test reaches
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m kernels
	$(BIN)/coverage report

pictures: $(VENV)/.installed-dev services page ## take pictures of every screen, into screenshots/
	@PYTHONPATH=tests $(BIN)/python -m web.pictures

clean: ## remove caches and build results, keep .venv
	rm -rf build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find bench docs src tests -name __pycache__ -prune -exec rm -rf {} +

gcc:
	@command -v gcc >/dev/null || $(call apt_install,gcc libc6-dev)

services:
	@command -v chromium >/dev/null || $(call apt_install,chromium)
	@command -v redis-server >/dev/null || $(call apt_install,redis-server)
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || $(call apt_install,postgresql)

# Reached only if the environment has no working Python, so clearing it loses nothing.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	package=$$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	$(call apt_install,$$package); }
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/.installed: pyproject.toml $(BIN)/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(BIN)/python
	$(PIP) install --editable '.[dev]'
	@touch $(VENV)/.installed $@
