# Everything a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=

.PHONY: demo cluster torture test lint unit fuzz soak bench-engine bench-match protos messages pictures clean

# The environment is made once, and again when pyproject.toml changes: what plays, and then what tests.
$(VENV)/runs: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Capicua needs Python 3.11 or newer; say which with PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/installed: $(VENV)/runs
	$(BIN)/pip install --quiet --disable-pip-version-check --group dev
	touch $@

demo: $(VENV)/runs  ## play and watch a whole game; ARGS="--variant draw --seats 3"
	$(BIN)/capicua demo $(ARGS)

cluster: $(VENV)/runs  ## an installation of many processes on this machine; ARGS="--game-actor 4"
	$(BIN)/capicua cluster $(ARGS)

torture: $(VENV)/runs  ## break an installation while people play, and judge what came of it; ARGS="--minutes 3 --seed 7"
	$(BIN)/capicua torture $(ARGS)

test: lint unit  ## everything that CI runs

lint: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/buf lint
	$(BIN)/python protos/generate.py --check
	$(BIN)/lint-imports
	$(BIN)/mypy

unit: $(VENV)/installed
	$(BIN)/pytest -n 2 --dist loadgroup $(ARGS)

fuzz: $(VENV)/installed  ## engine against the naive rule writer, with fresh games; ARGS="--seconds 600"
	$(BIN)/python tests/engine/fuzz.py $(ARGS)

soak: $(VENV)/installed  ## streams, games, slow readers and a crowd, until leaks show; ARGS="--streams 100000 --games 10000 --spectators 500"
	$(BIN)/python tests/e2e/soak.py $(ARGS)

bench-engine: $(VENV)/installed  ## µs a command and rounds/s of the engine alone, and beside its peers
	-$(BIN)/pip install --quiet --disable-pip-version-check --group bench
	$(BIN)/python tests/engine/speed.py

bench-match: $(VENV)/installed  ## how long ten thousand quick matches in ten seconds wait for their seats
	$(BIN)/python tests/services/match_workers.py $(ARGS)
	$(BIN)/python tests/services/match_speed.py $(ARGS)

protos: $(VENV)/installed  ## generate the Python code of the protos
	$(BIN)/python protos/generate.py

messages: $(VENV)/installed  ## bring the catalogues of translated messages up to date and compile them
	$(BIN)/python services/messages.py

pictures: $(VENV)/installed  ## draw the games of docs/pictures again
	for game in docs/pictures/*.txt; do $(BIN)/capicua replay $$game --svg $${game%.txt}.svg || exit 1; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
