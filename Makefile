# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test lint bench clean

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing medsafe into $(VENV) (once, about a minute) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(STAMP)
	@$(BIN)/medsafe check examples/knee-pain.yaml --as-of 2026-11-20 --fail-on never
	@$(BIN)/medsafe check --fhir examples/fhir-patient.json --as-of 2026-11-20 --fail-on never

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint
	$(BIN)/medsafe lint
	$(BIN)/medsafe test
	$(BIN)/python -m pytest -n 2

bench: $(STAMP)
	$(BIN)/python tools/bench.py

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache
