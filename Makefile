# make serve   start judge on this machine           make test    everything, as CI runs it
# make check   lint, types, unit and cases (seconds) make deep    what takes long        make bench   the ratios
# make translations   take new page texts into fr and ru, list what is missing   make migration NAME="what changes"
# make audit    pinned packages against published advisories, a bill of materials (ADVISORIES=folder: without the network)
# make pictures   take the pictures of README and docs anew   make cases   list which cases each rule decides
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install -q --disable-pip-version-check --no-deps
HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT

.PHONY: help serve check test deep bench audit cases pictures translations migration lock
help:
	@sed -n '1,5p' Makefile

# Made again when there is no pip in it: its Python is gone, or the first try found none with venv.
MAKE_VENV = $(BIN)/python -m pip --version > /dev/null 2>&1 || { echo "Making $(VENV) ..."; \
  $(PYTHON) -m venv --clear $(VENV) || { echo "Python's venv is missing: on Debian, apt install python3-venv"; exit 1; }; }

# What is needed to run. The stamp is newer than the locks when nothing has to be done.
$(VENV)/run: requirements.lock
	@$(MAKE_VENV)
	@echo "Installing what judge needs (once; a minute or two) ..."
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-build-isolation -e .
	@$(BIN)/python -m compileall -q judge
	@touch $@

# What is needed to test: the same and more.
$(VENV)/dev: requirements-dev.lock
	@$(MAKE_VENV)
	@echo "Installing what the tests need (once; a few minutes) ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --no-build-isolation -e .
	@$(BIN)/python -m compileall -q judge
	@touch $(VENV)/run $@

serve: $(VENV)/run
	@exec $(BIN)/judge serve

check: $(VENV)/dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/unit tests/cases

test: $(VENV)/dev
	@BIN=$(BIN) .ci/test

deep: $(VENV)/dev
	$(BIN)/pytest -q tests/deep
	$(BIN)/python -m tests.deep.mutate

bench: $(VENV)/dev
	$(BIN)/python -m bench

audit: $(VENV)/dev
	$(BIN)/python -m tests.package.audit $(ADVISORIES)

cases: $(VENV)/dev
	$(BIN)/python -m tests.cases.index

pictures: $(VENV)/dev
	$(BIN)/python -m tests.pictures

translations: $(VENV)/dev
	$(BIN)/python -m judge.translations.messages $(FROM)

migration: $(VENV)/dev
	$(BIN)/python -m judge.storage.migrations.new "$(NAME)"
	$(BIN)/ruff check -q --fix judge/storage/migrations; $(BIN)/ruff format -q judge/storage/migrations

lock:  ## after changing pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --extra postgres --group build $(LOCK) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra postgres --extra server --group test -c requirements.lock $(LOCK) -o requirements-dev.lock
	sed -n '/^gunicorn==/,/[^\\]$$/p' requirements-dev.lock > requirements-server.lock
LOCK := --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links --no-header --no-annotate -q
