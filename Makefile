# `make demo` and `make test` need Python 3.11 or newer and make; all else goes into a virtual environment here.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

# An interpreter named on the command line gets an environment of its own.
VENV ?= $(if $(filter command% environment%,$(origin PYTHON)),.venv-$(notdir $(PYTHON)),.venv)
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
SAY = @printf '\n== %s\n'

.NOTPARALLEL:
.PHONY: demo test quick lint types layers pytest smoke wheels bench screenshots clean

demo: $(RUN)
	$(BIN)/logtui --demo

test: lint types layers pytest smoke

# What a change touches, in a minute.
quick: $(DEV)
	@$(BIN)/ruff check --quiet
	@$(BIN)/python tests/quick.py

lint: $(DEV)
	$(SAY) 'ruff check'
	@$(BIN)/ruff check
	$(SAY) 'ruff format'
	@$(BIN)/ruff format --check

types: $(DEV)
	$(SAY) 'mypy'
	@$(BIN)/mypy
	@$(BIN)/mypy tests
	@$(BIN)/mypy release

layers: $(DEV)
	$(SAY) 'lint-imports'
	@$(BIN)/lint-imports

pytest: $(DEV)
	$(SAY) 'pytest'
	@$(BIN)/pytest -n auto --dist worksteal

smoke: $(DEV)
	$(SAY) 'benchmarks/smoke.py'
	@test ! -e benchmarks/smoke.py || $(BIN)/python benchmarks/smoke.py

# Whether docs/install.md still says where wheels are: asks the registry.
wheels: $(DEV)
	$(SAY) 'release/wheels.py --check'
	@$(BIN)/python release/wheels.py --check

bench: $(RUN)
	@$(BIN)/python benchmarks/bench.py
	@$(BIN)/python benchmarks/dense.py
	@$(BIN)/python benchmarks/real_logs.py

screenshots: $(RUN)
	@$(BIN)/python screenshots/make.py

# Installed once; again when pyproject.toml changes.
$(RUN): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

# `pip install --group` came with pip 25.1.
$(DEV): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@ $(RUN)

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer not found: make PYTHON=/path/to/python3'; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo 'Debian keeps venv apart: apt install python3-venv'; exit 1; }

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
