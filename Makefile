# Needs python3 (3.11 or newer, with venv and pip) and make; everything else is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
AT_ONCE ?= 2

.PHONY: help setup run test lint bench watchers soak fuzz faults messages lock clean

help:
	@echo "make run    start Fifty-Five for this network"
	@echo "make test   lint and run every test"
	@echo "make lint   ruff, mypy, and known holes in what we depend on"
	@echo "make bench  what things cost, as ratios; soak, fuzz, faults, watchers: long runs (CONTRIBUTING)"

setup: $(READY)

$(READY): requirements.lock pyproject.toml companion/build_hook.py $(wildcard companion/locale/*/LC_MESSAGES/*.po)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $(READY)

run: $(READY)
	@$(BIN)/companion run

test: lint
	$(BIN)/python -m pytest --numprocesses $(AT_ONCE) --dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.audit

bench: $(READY)
	$(BIN)/python -m tests.bench.engine
	$(BIN)/python -m tests.bench.web

# A thousand phones watch one table for half a minute, on this machine only.
watchers: $(READY)
	$(BIN)/python -m tests.bench.watchers

# Ten thousand entries over a hundred tables from eight phones at once. With PostgreSQL: make soak ON=--postgres
soak: $(READY)
	$(BIN)/python -m tests.bench.soak $(ON)

# Every route and the import with ten thousand odd requests, on all stores.
fuzz: $(READY)
	FIFTY_FIVE_FUZZ=10000 $(BIN)/python -m pytest tests/web/test_fuzz.py

# The real server killed, stopped, starved and besieged. FIFTY_FIVE_KILLS=500 make faults kills more often.
faults: $(READY)
	$(BIN)/python -m pytest tests/faults

# After a change of any sentence: the new ones stand empty in the .po file until they are translated.
messages: $(READY)
	$(BIN)/pybabel --quiet extract --mapping pyproject.toml --keyword say --no-location --sort-output \
	  --project Fifty-Five --output-file companion/locale/messages.pot .
	$(BIN)/pybabel --quiet update --input-file companion/locale/messages.pot --output-dir companion/locale \
	  --locale fr --no-fuzzy-matching --ignore-obsolete --no-wrap
	rm companion/locale/messages.pot

# After a change of the dependencies in pyproject.toml. Hashes, no addresses.
lock:
	uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
