# make serve   start judge on this machine          make test    everything, as CI runs it
# make check   lint, types, unit and cases (seconds) make deep    what takes long        make bench   the ratios
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: help check
help:
	@sed -n '1,2p' Makefile

$(VENV)/dev: requirements-dev.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -q --disable-pip-version-check --no-deps --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

check: $(VENV)/dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/unit tests/cases

lock:  ## after changing pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --group build $(LOCK) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra postgres --extra server --group test -c requirements.lock $(LOCK) -o requirements-dev.lock
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate -q
