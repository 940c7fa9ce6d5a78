# Everything runs in .venv and node_modules; nothing is installed elsewhere, but for browsers by `make test` as root.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help install site test lint corpora bench golden clean

help: ## say what there is
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

install: .venv/installed ## make .venv with Papershelf in it

.venv/installed: pyproject.toml hatch_build.py
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

site: install ## build the bundled sample and print where it is
	$(BIN)/papershelf build --sample

test: .venv/installed-dev lint ## run all tests; installs what they need
	@PATH="$(CURDIR)/$(BIN):$$PATH" tests/install-browsers
	$(BIN)/pytest --numprocesses auto --dist worksteal

lint: .venv/installed-dev ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory node_modules/installed && npm run --silent check; \
	else \
	  echo "No npm in the PATH: the types of the browser scripts are not checked." >&2; \
	fi

node_modules/installed: package.json package-lock.json
	npm ci --silent --no-audit --no-fund
	@touch $@

corpora: .venv/installed-dev ## long runs over real abstracts, where they are at hand
	$(BIN)/pytest -m corpora
	$(BIN)/python -m tests.leftovers # the fifty worst, to read

bench: .venv/installed-dev ## speed and memory of markup, titles, tags, relations, search, builds; what the referees say
	$(BIN)/python -m tests.bench_markup
	$(BIN)/python -m tests.bench_derived
	$(BIN)/python -m tests.bench_relate
	$(BIN)/python -m tests.bench_search
	$(BIN)/python tests/bench.py $(BENCH_FILE)

golden: .venv/installed-dev ## write the golden pages anew; read their diff with care
	$(BIN)/pytest tests/test_pages.py --refresh-golden

clean: ## remove what was built, .venv included
	rm -rf .venv .papershelf node_modules site dist
