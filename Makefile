# Each target sets up what it needs in .venv by itself.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test lint format bench bench-systems torture e2e prompts lock clean

run: .venv/run.stamp  ## make the first agent if there is none, and talk with it
	@$(BIN)/almario chat

test: .venv/dev.stamp  ## the whole suite
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist worksteal

lint: .venv/dev.stamp  ## format, lint rules, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev.stamp  ## speed on this machine, against baselines of the same run
	$(BIN)/python -m benchmarks

bench-systems: .venv-bench/stamp  ## beside other stores: sqlite-vec, chroma, TF-IDF
	.venv-bench/bin/python -m benchmarks.side_by_side

torture: .venv/dev.stamp  ## the long fault runs (kills, power cuts, interleaved edits), and the suite with all its examples
	$(BIN)/python -m tests.torture
	THOROUGH=1 $(BIN)/python -m pytest -n auto --dist worksteal

e2e: .venv/dev.stamp  ## conversations with a real model, in a terminal: needs tmux and a model
	$(BIN)/python -m tests.e2e

prompts: .venv/dev.stamp  ## docs/prompts.md, from the code
	$(BIN)/python -m tests.prompts

lock: .venv/dev.stamp  ## pin the newest versions that fit pyproject.toml
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --all-extras --no-emit-index-url --no-emit-find-links --no-header --upgrade pyproject.toml -o constraints.txt

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Almario needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/run.stamp: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[anthropic,openai]'
	@touch $@

.venv/dev.stamp: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ .venv/run.stamp

.venv-bench/stamp: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -e . sqlite-vec chromadb
	@touch $@

clean:
	rm -rf .venv .venv-bench .pytest_cache .mypy_cache .ruff_cache .hypothesis
