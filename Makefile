# make demo: keyphrases of a sample paper. make test: lint, types, layers and all tests.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test tools lint docs benchmarks results experiments pictures fuzz oldest bill dist clean

demo: $(VENV)/.base
	$(BIN)/keyseq generate examples/paper.txt

# Two processes, a file of tests at a time.
test: $(VENV)/.dev tools lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

# Programs that tests run: a browser for the page, strace to see connections, Node for JavaScript of the docs, systemd to
# check the unit. Root installs Debian's packages; where that is not possible, the last line of the tests says what was
# skipped.
tools:
	@{ missing=; \
	command -v chromium || command -v chromium-browser || command -v google-chrome || missing=chromium; \
	command -v strace || missing="$$missing strace"; \
	command -v node || missing="$$missing nodejs"; \
	command -v systemd-analyze || missing="$$missing systemd"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get; then \
		{ apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $$missing; } \
			|| echo "make tools: could not install $$missing" >&2; \
	fi; } >/dev/null

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# the documentation as a site, build/site; the tests build it with the same command
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo 'build/site/index.html; with search: $(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site'

benchmarks: $(VENV)/.dev
	$(BIN)/python -m benchmarks

results: $(VENV)/.dev
	$(BIN)/python -m benchmarks.default_system
	$(BIN)/python -m benchmarks.results

# SCALE=small: a smoke test in minutes; else the fraction of the full experiments, 1 by default. Resumes if killed.
SCALE ?= 1
OUT ?= runs/experiments
SHARE = $(if $(filter small,$(SCALE)),0.005,$(SCALE))
EXPERIMENTS ?= statistics present stackex self-terminating ablation absent diversity lambdas decodings decodings-stackex

experiments: $(VENV)/.dev
	@test -n "$$KEYSEQ_DATA" || { echo 'make experiments: KEYSEQ_DATA is not set; set it to the folder of your corpora (docs/how-to/datasets.md)' >&2; exit 2; }
	for name in $(EXPERIMENTS); do $(BIN)/keyseq experiment $$name --out $(OUT) --scale $(SHARE) || exit; done

# ten minutes of processor time for each fuzzing target; atheris has wheels for few versions of Python, so it is no dependency
MINUTES ?= 10
fuzz: $(VENV)/.dev
	$(PIP) install 'atheris>=3'
	for target in read tokenize present score predictions graph arrays settings folder body; do \
		$(BIN)/python -m fuzz $$target $$(($(MINUTES) * 60)) || exit; done

# the oldest allowed versions of the base install and of each extra: needs the package index, takes an hour
oldest: $(VENV)/.dev
	$(BIN)/python -m release.oldest $(EXTRAS)

# the packages that users install, with their licences
bill: $(VENV)/.dev
	@$(BIN)/python -m release.bill_of_materials

# wheel and source distribution: the same bytes twice, checked, and tried in fresh environments
dist: $(VENV)/.dev
	$(BIN)/python -m release.build dist

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
