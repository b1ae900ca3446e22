# Two commands on a fresh machine: `make lab` and `make test`. Both set up everything.
#
#   PYTHON=python3.12    the Python to use (3.11 or newer)
#   FOLDER=~/mine        where copies of the course lie (work/, of which git knows nothing)
#   PORT=9000            the port for JupyterLab
#   TORCH_INDEX=URL      where to take torch from (on Linux: PyTorch's index of CPU builds)
#   ARGS="-k view"       what to pass on to pytest

PYTHON ?= python3
VENV ?= .venv
FOLDER ?=
PORT ?=
TORCH_INDEX ?=
ARGS ?=
# By the environment, so that its name may hold spaces and quotes.
export FOLDER
IN_FOLDER = $${FOLDER:+"$$FOLDER"}

SETUP = @command -v $(firstword $(PYTHON)) >/dev/null 2>&1 \
	|| { echo "There is no $(PYTHON) on this machine. Install Python 3.11 or newer, or say where it is: make $@ PYTHON=/path/to/python3" >&2; exit 1; }; \
	$(PYTHON) tools/bootstrap.py --venv $(VENV) --torch-index "$(TORCH_INDEX)" \
	$(if $(filter-out file,$(origin PYTHON)),--this-python)

.PHONY: setup lab update doctor test demo mutants gallery site site-check sheets lint format constraints dist clean

setup: ## install everything into a virtual environment, and open nothing
	$(SETUP)

lab: ## open the course in JupyterLab, to work on copies of it
	$(SETUP)
	@$(VENV)/bin/stridekit lab $(IN_FOLDER) $(if $(PORT),--port $(PORT))

update: ## after git pull: bring what is newer into the copies, and keep what is yours
	$(SETUP)
	@$(VENV)/bin/stridekit update $(IN_FOLDER)

doctor: ## say what works on this machine
	$(SETUP)
	@$(VENV)/bin/stridekit doctor $(IN_FOLDER)

test: ## run all tests
	$(SETUP) --dev
	@# Each worker, and each process that a test starts, would compile all of our modules again.
	@STRIDEKIT_CHROMIUM="$$($(VENV)/bin/python tools/browser.py)" PYTHONDONTWRITEBYTECODE= \
		$(VENV)/bin/python -m pytest -n auto --no-loadscope-reorder --max-worker-restart 0 $(ARGS)

demo: ## grade a small class, in a temporary course
	$(SETUP)
	@$(VENV)/bin/python demo/demo.py

mutants: ## change the model solutions in every small way: does check catch it?
	$(SETUP) --dev
	@$(VENV)/bin/python tools/mutants.py $(ARGS)

gallery: ## draw all pictures of the gallery anew
	$(SETUP) --dev
	@$(VENV)/bin/python docs/gallery/pictures.py
	@$(VENV)/bin/python -m tests.stridekit.diagrams.golden

site: ## make the site in build/site/html
	$(SETUP) --dev
	@$(VENV)/bin/python -c "import furo, myst_nb, jupyterlite_core, jupyterlite_pyodide_kernel" 2>/dev/null \
		|| $(VENV)/bin/python -m pip install --quiet -c constraints.txt -e ".[site,lite]"
	@$(VENV)/bin/python site/build.py $(ARGS)

site-check: ## look at the site in a browser: nothing from outside, nothing that axe-core minds
	@$(VENV)/bin/python site/look.py $(ARGS)

sheets: ## a PDF with a page for each lesson: its picture, and its summary
	$(SETUP)
	@$(VENV)/bin/python tools/sheets.py

lint: ## style, types, and who may import whom
	$(SETUP) --dev
	@$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check . && $(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports --no-cache

format: ## put all code and notebooks into the house style
	$(SETUP) --dev
	@$(VENV)/bin/pre-commit run --all-files

constraints: ## write down the versions that are installed now
	$(SETUP) --dev
	@$(VENV)/bin/python tools/constraints.py

dist: ## build the three packages into dist/, and try each in an empty environment
	$(SETUP) --dev
	@TORCH_INDEX="$(TORCH_INDEX)" $(VENV)/bin/python tools/dist.py $(ARGS)

clean: ## remove the virtual environment and caches; your work stays
	rm -rf $(VENV) dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
