# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: demo test lint search fuzz mutants release lock bench clean

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing medsafe into $(VENV) (once, about a minute) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

# exit 1 (findings) and 4 (something not known) are answers; anything else is a failure
demo: $(STAMP)
	@for args in "examples/knee-pain.yaml" "examples/visit.txt --as-of 2026-11-20" "--fhir examples/fhir-patient.json --as-of 2026-11-20"; do \
	  echo "\n$$ medsafe check $$args"; $(BIN)/medsafe check $$args; code=$$?; \
	  [ $$code -le 1 ] || [ $$code -eq 4 ] || exit $$code; done

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# what reads the code runs beside what reads the knowledge, and three minutes of fuzzing beside the tests; any failing fails
test: $(STAMP)
	@$(MAKE) --no-print-directory lint & other=$$!; $(BIN)/medsafe lint && $(BIN)/medsafe test && wait $$other
	@$(BIN)/python tools/fuzz.py --seconds 180 > .fuzz.log 2>&1 & fuzz=$$!; \
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal; tests=$$?; \
	wait $$fuzz && tail -n 1 .fuzz.log || { cat .fuzz.log; exit 1; }; exit $$tests

# the laws, on examples drawn anew: what it finds becomes an @example
search: $(STAMP)
	MEDSAFE_EXAMPLES=search $(BIN)/python -m pytest -n 2 --dist worksteal

# ten minutes of fuzzing with inputs that nobody tried yet; MINUTES=60 for longer
fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py --seconds $$(( 60 * $(or $(MINUTES),10) )) --seed $$(date +%s)

# whether the tests notice changes of the code; ROOM=judging SAMPLE=60
mutants: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check ".[search]"
	$(BIN)/python tools/mutants.py $(or $(ROOM),judging) --sample $(or $(SAMPLE),60)

# wheel and source archive, built twice alike and tried in empty environments; SHA256SUMS and the bill of materials in dist/
release: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check ".[release]"
	$(BIN)/python tools/release.py

# the versions and digests of everything that an installed medsafe may bring along, and whether any has a known weakness
lock: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check ".[release]"
	$(BIN)/uv pip compile pyproject.toml --extra mcp --extra serve --extra fhir --extra scoring --extra desk \
	  --universal --python-version 3.11 --generate-hashes --quiet --upgrade --output-file requirements.lock
	$(BIN)/pip-audit --requirement requirements.lock --no-deps --disable-pip

bench: $(STAMP)
	$(BIN)/python tools/bench.py

clean:
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache
