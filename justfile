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

bench:
    python -m bench
