# Two commands do everything: `make demo` and `make test`. See README.md.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PLUGIN := srvpro_bridge/plugin/srvpro
BROWSER := tests/browser
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help install demo run test check bench soak screenshots clean

help: ## Say what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

install: $(VENV)/.installed ## Put relayd, relayctl and deckcheck into .venv/bin

demo: $(VENV)/.installed ## Run a whole tournament against the simulated duel server
	$(BIN)/python -m relayd.demo $(ARGS)

run: $(VENV)/.installed ## Start the daemon for real use, by the settings in ARGS="--config FILE" or by its defaults
	$(BIN)/relayd run $(ARGS)

test: $(VENV)/.developing .ci/.debian-ready $(PLUGIN)/node_modules $(BROWSER)/node_modules ## Install what the tests need, and run them all
	cd $(PLUGIN) && npm test --silent
	$(BIN)/pytest --cov $(ARGS)

check: $(VENV)/.developing ## Look at the code without running it
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.developing ## Measure beside peers, as ratios in one run
	$(BIN)/python -m benchmarks $(ARGS)

soak: $(VENV)/.developing .ci/.debian-ready ## The long forms of the fault tests: kills, fuzzing
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[soak]'
	$(BIN)/pytest --long tests/faults $(ARGS)
	$(BIN)/python -m tests.soak $(ARGS)

screenshots: $(VENV)/.developing .ci/.debian-ready $(BROWSER)/node_modules ## Take pictures of all pages, phone and desk, light and dark
	$(BIN)/pytest -q $(BROWSER)/test_evening.py $(BROWSER)/test_accessible.py $(BROWSER)/test_console.py --pictures build/screenshots $(ARGS)

clean: ## Remove what was installed and built
	rm -rf $(VENV) build dist .ci/.debian-ready .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.developing: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.installed

$(PLUGIN)/node_modules $(BROWSER)/node_modules: %/node_modules: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund --silent
	touch $@

.ci/.debian-ready: .ci/debian .ci/debian-packages
	.ci/debian
	touch $@
