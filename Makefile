# From a machine with only Python 3.11, git, make and apt: `make play` and `make test`.
# Everything lives in .venv; a second run finds it ready.

# The first interpreter that really runs (a version manager's shim may not) and is new enough.
PYTHON ?= $(shell for python in python3.11 python3; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)

VENV := .venv
BIN := $(VENV)/bin
# The tested versions, for what is installed and for what builds it; CONSTRAINTS= takes the newest that are allowed.
CONSTRAINTS ?= constraints.txt
PIP = PIP_CONSTRAINT=$(CONSTRAINTS) PIP_BUILD_CONSTRAINT=$(CONSTRAINTS) $(BIN)/python -m pip -qq --disable-pip-version-check

# $(call apt_install,PACKAGES): installs them if we may, else says what is missing.
apt_install = { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "Installing $(1)" && apt-get -qq update >/dev/null && \
	DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $(1) >/dev/null; \
	else echo "Please install: $(1)" >&2; exit 1; fi; }

.PHONY: help play dev test test-units lint format bench docs coverage pictures release constraints image clean gcc cross linker services page
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

PORT ?= 8000
PAGE_PORT ?= 5173

# The page is built while packages are being installed; the bots are still being linked when the page opens.
play: $(BIN)/python linker ## play in the browser; PORT=8000
	@$(MAKE) --no-print-directory -j2 $(VENV)/.installed page
	@$(BIN)/threespan play --port $(PORT)

dev: $(VENV)/.installed-dev ## the page with hot reload, in front of a server; PORT=8000 PAGE_PORT=5173
	@$(BIN)/python web/tools.py dev --port $(PORT) --page-port $(PAGE_PORT)

test: lint gcc cross services page ## check style and types, run all tests: compiled, uncompiled, bounds-checked, in a browser
	@rm -rf build/tests && mkdir -p $(CLAUSES)
	@$(MAKE) --no-print-directory --keep-going -j3 $(PARTS:%=test-%)
	@THREESPAN_CLAUSES=$(CLAUSES) $(BIN)/python -m pytest -q -m ledger tests/conformance

# Three parts run at a time, for two cores: servers and browsers mostly wait. `linked` makes the library of the rules that
# the servers of other parts load, while `uncompiled` needs no compiler; then those that take longest come first. `rest`
# is whatever no other part names.
PARTS := linked uncompiled rest web wheel server games bounds-checked research units
CLAUSES := build/tests/clauses

tests-linked := tests/table/test_without_server.py
tests-web := tests/web
tests-server := tests/server
tests-games := tests/conformance
tests-research := tests/research
tests-wheel := tests/wheel tests/bench/test_digest.py
tests-rest := tests $(addprefix --ignore=,$(tests-linked) $(tests-web) $(tests-server) $(tests-games) $(tests-research) $(tests-wheel))
tests-uncompiled := -m kernels
tests-bounds-checked := -m kernels
mode-uncompiled := NUMBA_DISABLE_JIT=1
mode-bounds-checked := NUMBA_BOUNDSCHECK=1

# A part prints only how it ended, unless it fails. Clauses that its tests have seen at work are noted for the last test.
test-%:
	@mkdir -p $(CLAUSES)
	@env $(mode-$*) THREESPAN_CLAUSES=$(CLAUSES) $(BIN)/python -m pytest $(tests-$*) -p no:cacheprovider --durations=15 \
	>build/tests/$*.log 2>&1 && printf '%s:\n%s\n' '$*' "$$(tail -1 build/tests/$*.log)" || { cat build/tests/$*.log; exit 1; }

test-units: $(VENV)/.installed-dev ## the unit tests of the page, in seconds
	@$(BIN)/python web/tools.py test

page: $(BIN)/python ## build the page, if its sources have changed
	@$(BIN)/python web/build.py

lint: $(VENV)/.installed-dev ## check style and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python web/tools.py lint

format: $(VENV)/.installed-dev ## format the code and fix what can be fixed
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python web/tools.py format

bench: $(VENV)/.installed gcc ## measure the speed against the C twins
	@$(BIN)/threespan bench

docs: $(VENV)/.installed ## write the generated pages
	@$(BIN)/python docs/generate.py

coverage: $(VENV)/.installed-dev ## show which kernel lines no test reaches
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -m kernels
	$(BIN)/coverage report

pictures: $(VENV)/.installed-dev services page ## take pictures of every screen, into screenshots/
	@PYTHONPATH=tests $(BIN)/python -m web.pictures

release: $(VENV)/.installed-dev ## cut VERSION=x.y.z: changelog, wheel and source archive, each installed and tried
	@test -n "$(VERSION)" || { echo "Which version? make release VERSION=1.4.0" >&2; exit 1; }
	@$(BIN)/python -m tools.release $(VERSION)

constraints: CONSTRAINTS =
constraints: $(BIN)/python ## upgrade everything to the newest versions allowed and note them; then run the tests
	$(PIP) install --upgrade --upgrade-strategy eager --editable '.[dev]'
	@touch $(VENV)/.installed $(VENV)/.installed-dev
	@$(BIN)/python -m tools.constraints

image: ## build the container image and play inside it; needs docker
	docker build --tag threespan .
	docker run --rm --volume "$(CURDIR)/tools:/tools:ro" --entrypoint python threespan -I /tools/trial.py /tmp/trial

clean: ## remove caches and build results, keep .venv
	rm -rf build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find bench docs src tests tools training -name __pycache__ -prune -exec rm -rf {} +

linker:
	@command -v ld >/dev/null || $(call apt_install,binutils) || true

gcc:
	@command -v gcc >/dev/null || $(call apt_install,gcc libc6-dev)

# Linkers for libraries that other machines run, and what it takes to try one of them here.
cross:
	@command -v wasm-ld-19 >/dev/null || $(call apt_install,lld-19)
	@command -v aarch64-linux-gnu-gcc >/dev/null || $(call apt_install,gcc-aarch64-linux-gnu libc6-dev-arm64-cross)
	@command -v qemu-aarch64 >/dev/null || $(call apt_install,qemu-user)

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

# Python compiles what it imports, so nothing else has to be; and the page has a target of its own.
INSTALL = THREESPAN_PAGE=none $(PIP) install --no-compile --editable

$(VENV)/.installed: pyproject.toml constraints.txt $(BIN)/python
	$(INSTALL) '.[build]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt $(BIN)/python
	$(INSTALL) '.[dev]'
	@touch $(VENV)/.installed $@
