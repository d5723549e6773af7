# make demo: keyphrases of a sample paper. make test: lint, types, layers and all tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test lint benchmarks results pictures clean

demo: $(VENV)/.base
	$(BIN)/keyseq generate examples/paper.txt

test: $(VENV)/.dev lint
	$(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

benchmarks: $(VENV)/.dev
	$(BIN)/python -m benchmarks

results: $(VENV)/.dev
	$(BIN)/python -m benchmarks.results

pictures: $(VENV)/.dev
	$(BIN)/python docs/pictures.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "keyseq needs Python 3.11 or newer: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --editable . --constraint constraints.txt
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install --editable '.[dev]' --constraint constraints.txt
	touch $@ $(VENV)/.base
