# The commands of the course. `make help` lists them.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
READY := .venv/ready

.DEFAULT_GOAL := help
.PHONY: help site serve lab test test-long notebooks bench clean

help:            ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  make %-10s %s\n", $$1, $$2}'

site: $(READY)   ## build the book into _build/html
	$(BIN)/python tools/build_site.py

serve: site      ## build the book and serve it on 127.0.0.1 (PORT=8000)
	$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html \
		|| { echo "Not served. If port $(PORT) is taken: make serve PORT=8001"; exit 1; }

lab: $(READY)    ## open the chapters in JupyterLab
	$(BIN)/jupyter lab --config=tools/jupyterlab.py

# Two workers with two BLAS threads each would wait for one another.
test test-long: export OPENBLAS_NUM_THREADS := 1
test test-long: export OMP_NUM_THREADS := 1

test: site       ## run every check (about 5 minutes on 2 cores)
	$(BIN)/ruff check --quiet .
	$(BIN)/pytest -n 2 --dist loadgroup -m "not long"

test-long: site  ## run the checks that need longer (about 10 minutes on 2 cores)
	$(BIN)/pytest -n 2 --dist loadgroup -m long

notebooks: $(READY)  ## re-execute the chapters and store their outputs, touching only what changed
	$(BIN)/python tools/notebooks.py

bench: site      ## measure speed, as ratios, in one run
	$(BIN)/python -m bench

clean:           ## remove everything that make created
	rm -rf .venv _build .pytest_cache .ruff_cache .hypothesis lib/*.egg-info

$(READY): requirements.txt constraints.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --requirement requirements.txt --editable .
	@touch $(READY)
