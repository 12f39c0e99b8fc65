# `make demo` and `make test` need Python 3.11 or newer and make; all else goes into a virtual environment here.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)

# An interpreter named on the command line gets an environment of its own.
VENV ?= $(if $(filter command% environment%,$(origin PYTHON)),.venv-$(notdir $(PYTHON)),.venv)
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
SAY = @printf '\n== %s\n'

# Tests start the program hundreds of times: what is compiled is kept, whatever the machine says.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: demo test quick lint types layers pytest smoke wheels site release wheelhouse bench torture screenshots clean

demo: $(RUN)
	@echo 'Opening a generated job of 128 ranks: q leaves, ? explains.'
	@$(BIN)/logtui --demo

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

# Sdist and wheel in dist/, checked, reproducible, tried on every Python here; nothing is uploaded.
release: $(DEV)
	@$(BIN)/python -m pip install --quiet --group release
	@$(BIN)/python release/build.py

# dist/wheelhouse/: for a machine without a network, of this kind and with this Python.
wheelhouse: $(DEV)
	@$(BIN)/python release/build.py --wheelhouse

# The docs as a site in build/site/; fails where a link leads nowhere.
site: $(DEV)
	$(SAY) 'mkdocs build --strict'
	@$(BIN)/python -m pip install --quiet --group docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(RUN)
	@$(BIN)/python benchmarks/bench.py
	@$(BIN)/python benchmarks/dense.py
	@$(BIN)/python benchmarks/real_logs.py

# Hostile inputs by the thousand; CASES and SEED tell them apart.
CASES ?= 2000
SEED ?= 1
torture: $(DEV)
	@PYTHONPATH=.src $(BIN)/python tests/support/torture.py --cases $(CASES) --seed $(SEED)

screenshots: $(RUN)
	@$(BIN)/python screenshots/make.py

# Installed once; again when pyproject.toml changes.
$(RUN): pyproject.toml | $(BIN)/python
	@echo 'Installing logtui and what it needs into $(VENV): some 27 MB to fetch, once. pip says what it does:'
	@$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --editable . \
		|| { echo 'Not installed: what pip says above is why. Without a network see docs/install.md; then: make demo'; exit 1; }
	@touch $@

# `pip install --group` came with pip 25.1.
$(DEV): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@ $(RUN)

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer not found: make PYTHON=/path/to/python3'; exit 1; }
	@echo 'Making a virtual environment in $(VENV) with $(PYTHON).'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo 'Debian keeps venv apart: apt install python3-venv'; exit 1; }

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
