# Needs python3 (3.11 or newer, with venv and pip) and make; everything else is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# What running needs is installed first; tests and lint install the rest when they are first asked for.
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
# What building needs, and running does not.
BUILD := $(abspath $(VENV)/build)
# Twice the cores of a small machine: tests of browsers and servers wait for them now and then.
AT_ONCE ?= 4
LOCALE ?= fr
COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet
# One file is taken from django-htmx: what that itself would need is left out.
BUILDING := $(foreach package,django asgiref sqlparse tzdata,--no-emit-package $(package))

# Compiled modules are kept, whatever the shell says: a run of the tests starts a hundred Pythons.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run dev test tests lint style types site pictures bench siege watchers soak fuzz faults nights messages lock clean

help:
	@echo "make run       start Fifty-Five for this network"
	@echo "make dev       the same for this machine alone, started again after every change of a file"
	@echo "make setup     install what development needs"
	@echo "make test      lint and run every test"
	@echo "make lint      ruff, mypy, and known holes in what we depend on"
	@echo "make site      the whole program as a folder for any static host: dist/site"
	@echo "make pictures  draw the pictures of the READMEs anew"
	@echo "make bench     what things cost, as ratios; siege, soak, fuzz, faults, watchers: long runs (CONTRIBUTING)"
	@echo "make messages  after a change of a sentence; make lock: after a change of a dependency"

setup: $(DEVELOPMENT)

$(RUNTIME): requirements.lock requirements-build.lock pyproject.toml companion/build_hook.py $(wildcard companion/locale/*/LC_MESSAGES/*.po)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --require-hashes --no-deps --upgrade --target $(BUILD) -r requirements-build.lock
	PYTHONPATH=$(BUILD) $(PIP) --no-build-isolation --no-deps --editable .
	@rm -rf $(BUILD)
	@touch $(RUNTIME)

$(DEVELOPMENT): requirements-dev.lock | $(RUNTIME)
	$(PIP) --require-hashes -r requirements-dev.lock
	@touch $(DEVELOPMENT)

run: $(RUNTIME)
	@$(BIN)/companion run

# Flask's own server with its debugger: never for others. It watches Python files by itself, and these.
dev: $(RUNTIME)
	@$(BIN)/flask --app companion.wsgi --debug run --port 8000 \
	  --extra-files "$$(find templates static -name '*.html' -o -name '*.css' -o -name '*.js' | paste -sd: -)"

# What takes long in lint goes on beside the tests.
test: style
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: $(DEVELOPMENT)
	$(BIN)/python -m pytest --numprocesses $(AT_ONCE) --dist loadfile --no-loadscope-reorder

lint: style types

style: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEVELOPMENT)
	$(BIN)/mypy
	$(BIN)/python -m tests.audit

# Everything runs on the phone, without a server. Python for the browser comes by pip, checked; about 30 s.
site: $(DEVELOPMENT)
	@$(BIN)/python -m companion.pocket.build dist/site

# The pictures of the READMEs and of the manifest, from today's screens. Twice the same bytes; about 20 s.
pictures: $(DEVELOPMENT)
	$(BIN)/python -m tests.pictures

bench: $(DEVELOPMENT)
	$(BIN)/python -m tests.bench.engine
	$(BIN)/python -m tests.bench.web
	$(BIN)/python -m tests.bench.served
	$(BIN)/python -m tests.bench.coach
	$(BIN)/python -m tests.bench.standings
	$(BIN)/python -m tests.bench.pocket

# 16 and then 64 dear requests at once, and how long another table waits meanwhile. Some minutes.
siege: $(DEVELOPMENT)
	$(BIN)/python -m tests.bench.siege

# A thousand phones watch one table for half a minute, on this machine only. FIFTY_FIVE_WATCHERS=2000: more of them.
watchers: $(DEVELOPMENT)
	$(BIN)/python -m tests.bench.watchers

# Ten thousand entries over a hundred tables from eight phones at once. With PostgreSQL: make soak ON=--postgres
soak: $(DEVELOPMENT)
	$(BIN)/python -m tests.bench.soak $(ON)

# Every route and the import with ten thousand odd requests, on all stores. FIFTY_FIVE_FUZZ=100000 make fuzz sends more.
fuzz: $(DEVELOPMENT)
	FIFTY_FIVE_FUZZ=$${FIFTY_FIVE_FUZZ:-10000} $(BIN)/python -m pytest tests/web/test_fuzz.py

# The real server killed, stopped, starved and besieged. FIFTY_FIVE_KILLS=1000 make faults kills more often.
faults: $(DEVELOPMENT)
	FIFTY_FIVE_SIEGES=1 FIFTY_FIVE_KILLS=$${FIFTY_FIVE_KILLS:-100} $(BIN)/python -m pytest tests/faults -rP

# A hundred nights of the dealer's phone with a bad line: nothing is lost, nothing doubled.
nights: $(DEVELOPMENT)
	FIFTY_FIVE_NIGHTS=100 $(BIN)/python -m pytest tests/pocket/test_nights.py

# After a change of any sentence: the new ones stand empty in the .po file until they are translated.
# make messages LOCALE=de begins a catalogue of another language.
messages: $(DEVELOPMENT)
	$(BIN)/pybabel --quiet extract --mapping pyproject.toml --keyword say --keyword say_many:1,2 --no-location --sort-output \
	  --project Fifty-Five --output-file companion/locale/messages.pot .
	$(BIN)/pybabel --quiet update --input-file companion/locale/messages.pot --output-dir companion/locale \
	  --locale $(LOCALE) --init-missing --no-fuzzy-matching --ignore-obsolete --no-wrap
	rm companion/locale/messages.pot

# After a change of the dependencies in pyproject.toml. Hashes, no addresses.
lock:
	$(COMPILE) pyproject.toml --output-file requirements.lock
	$(COMPILE) pyproject.toml --all-extras --constraints requirements.lock --output-file requirements-dev.lock
	python3 -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  | $(COMPILE) - $(BUILDING) --output-file requirements-build.lock

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
