# `just` lists these; each is one line that you could type yourself.

test:
    python -m pytest

quick:
    python -m pytest -m "not slow and not browser"

lint:
    ruff check && ruff format --check && mypy --strict

format:
    ruff check --fix && ruff format

docs:
    python docs/generate.py
    python docs/notebooks.py
    sphinx-build -W --keep-going -b html docs docs/_build/html

# Each takes about a minute; bench.bench_extraction wants folders of Java sources.
bench:
    python -m bench.bench_similarity
    python -m bench.bench_import parquet
    python -m bench.bench_audit
