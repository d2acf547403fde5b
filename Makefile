# Each target sets up what it needs in .venv by itself.
PYTHON ?= python3
BIN := .venv/bin

PACKAGES := $(wildcard packages/*)
PROJECTS := pyproject.toml $(PACKAGES:%=%/pyproject.toml)
EXTRAS := anthropic,mcp,serve
# What comes with it; `make test` has all there are.
WITH := packages/almario-explorer packages/almario-formats packages/almario-gateway packages/almario-local packages/almario-telegram

.PHONY: run install image test coverage lint spanish format bench bench-large bench-systems bench-http bench-dashboard fuzz-http proofs torture torture-postgres clients browser e2e prompts reference interface house lock dist clean

run: .venv/run.stamp  ## make the first agent if there is none, and talk with it; without a terminal, show it
	@if [ -t 0 ] && [ -t 1 ] && ! [ -e .venv/asked ] && ! command -v almario > /dev/null; then \
		printf 'Put "almario" on your PATH, so that you can type it anywhere? [Y/n] '; read answer; touch .venv/asked; \
		case "$$answer" in [nN]*) ;; *) $(MAKE) --no-print-directory install ;; esac; \
	fi
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/almario chat; else $(BIN)/almario meet; fi

install:  ## put `almario` on your PATH: with uv or pipx if there is one, else as a link in ~/.local/bin
	@if command -v uv > /dev/null; then \
		uv tool install --quiet --force --constraints constraints.txt $(WITH:%=--with ./%) '.[$(EXTRAS)]'; \
	elif command -v pipx > /dev/null; then \
		pipx install --quiet --force --pip-args='--constraint $(CURDIR)/constraints.txt' '$(CURDIR)[$(EXTRAS)]' && \
		pipx inject --quiet --pip-args='--constraint $(CURDIR)/constraints.txt' almario $(WITH:%=$(CURDIR)/%); \
	else \
		$(MAKE) --no-print-directory --silent .venv/run.stamp && mkdir -p "$$HOME/.local/bin" && \
		ln -sf '$(CURDIR)/$(BIN)/almario' "$$HOME/.local/bin/almario"; \
	fi
	@PATH="$$HOME/.local/bin:$$PATH" almario --version
	@command -v almario > /dev/null || echo 'Add it to your PATH: export PATH="$$HOME/.local/bin:$$PATH"'

image:  ## a Docker image called almario
	docker build --tag almario .

test: .venv/dev.stamp  ## the whole suite; the last line says which PostgreSQL it was tested with
	@$(BIN)/python -m pytest -n auto --dist worksteal

coverage: .venv/dev.stamp  ## the whole suite, and which lines of src it runs; slower, and it fails below the floor
	$(BIN)/python -m pytest -n auto --dist loadscope --cov --cov-report=term:skip-covered

lint: .venv/dev.stamp  ## format, lint rules, types, and the rules of the house; lists what has no Spanish yet
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python hatch_build.py
	$(BIN)/mypy
	@$(BIN)/python -m pytest -q rules
	@$(BIN)/python -m rules.spanish

spanish: .venv/dev.stamp  ## fails if a sentence has no Spanish yet, or some Spanish is said no more
	@$(BIN)/python -m rules.spanish --complete

format: .venv/dev.stamp
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: .venv/dev.stamp  ## speed on this machine, against baselines of the same run
	$(BIN)/python -m benchmarks

bench-large: .venv/dev.stamp  ## an agent of many years, and a daemon of a thousand agents; it takes a quarter of an hour
	$(BIN)/python -m benchmarks.large
	$(BIN)/python -m benchmarks.large --agents

bench-systems: .venv-bench/stamp  ## beside other stores: sqlite-vec, chroma, TF-IDF
	.venv-bench/bin/python -m benchmarks.side_by_side

bench-http: .venv/dev.stamp  ## recalls over HTTP for a minute, with writers beside
	$(BIN)/python -m benchmarks.http_load

bench-dashboard: .venv/dev.stamp  ## each page at the server with very many memories, and search as you type
	$(BIN)/python -m benchmarks.dashboard

fuzz-http: .venv-fuzz/stamp  ## requests made up from the schema, to every route
	.venv-fuzz/bin/python -m proofs.http_fuzz

proofs: .venv/dev.stamp  ## what takes too long for the suite: fault runs that come out the same each time, months of nights, fits
	$(BIN)/python -m pytest -n auto --dist worksteal proofs

torture: .venv/dev.stamp  ## the long fault runs (kills, power cuts, interleaved edits), and the suite with all its examples
	$(BIN)/python -m proofs.torture
	THOROUGH=1 $(BIN)/python -m pytest -n auto --dist worksteal tests packages proofs

torture-postgres: .venv/dev.stamp  ## the fault runs of agents in PostgreSQL: clients killed, servers stopped, a standby promoted
	$(BIN)/python -m proofs.torture postgres

clients: .venv/dev.stamp  ## Claude Code, Codex, OpenClaw and others from npm, connected and talking with scripted models: needs npm
	$(BIN)/python -m proofs.clients

browser: .venv-browser/stamp  ## the dashboard in a real Chromium (Debian's, if there is none), with new pictures for the docs
	@.venv-browser/bin/python -m proofs.browser
	.venv-browser/bin/python -m pytest proofs/browser -s -o python_files='seen_*.py test_*.py'

e2e: .venv/dev.stamp  ## conversations with a real model, in a terminal: needs tmux and a model
	$(BIN)/python -m proofs.e2e

prompts: .venv/dev.stamp  ## every question to a model as it is sent, in docs/reference/prompts.md
	$(BIN)/python -m tests.prompts

reference: .venv/dev.stamp  ## the page of commands from their help, and the tables of settings and of verbs
	$(BIN)/python -m tests.reference

interface: .venv/dev.stamp  ## every public name with its signature
	@$(BIN)/python -m rules.interface

house: .venv/dev.stamp  ## house.svg: the rooms of the core, each above what it imports
	$(BIN)/python -m rules.house

lock: .venv/dev.stamp  ## pin the newest versions that fit pyproject.toml
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --all-extras --no-emit-index-url --no-emit-find-links --no-header --no-emit-package almario $(PACKAGES:packages/%=--no-emit-package %) --upgrade $(PROJECTS) -o constraints.txt

dist: .venv/dev.stamp spanish  ## the wheels and the source archives, of Almario and of each package
	rm -rf dist
	$(BIN)/pip install --quiet --disable-pip-version-check build
	for each in . $(PACKAGES); do $(BIN)/python -m build --outdir dist $$each || exit 1; done

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Almario needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo 'Making .venv, where all that is installed goes.'
	@$(PYTHON) -m venv .venv

.venv/run.stamp: .venv/bin/python $(PROJECTS) constraints.txt
	@echo 'Installing Almario into .venv, once; that takes a minute or two. It needs:'
	@{ $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -c constraints.txt -e '.[$(EXTRAS)]' $(WITH:%=-e ./%); \
		echo $$? > .venv/exit; } | sed -n 's/^Collecting \([A-Za-z0-9._-]*\).*/  \1/p; s/^Installing collected.*/Installing all of that …/p'; \
	exit $$(cat .venv/exit)
	@touch $@

.venv/dev.stamp: .venv/bin/python $(PROJECTS) constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' $(PACKAGES:%=-e ./%)
	@touch $@ .venv/run.stamp

.venv-bench/stamp: $(PROJECTS) constraints.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -e . sqlite-vec chromadb
	@touch $@

.venv-fuzz/stamp: $(PROJECTS) constraints.txt
	$(PYTHON) -m venv .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]' $(PACKAGES:%=-e ./%) 'schemathesis>=4'
	@touch $@

.venv-browser/stamp: $(PROJECTS) constraints.txt
	$(PYTHON) -m venv .venv-browser
	.venv-browser/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]' $(PACKAGES:%=-e ./%) 'playwright>=1.50' 'axe-playwright-python>=0.1.4' pillow
	@touch $@

clean:
	rm -rf .venv .venv-bench .venv-browser .venv-fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .clients dist
