"""Which inputs are permitted: as a source states it, or as the user does in a file."""

from __future__ import annotations

from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.execution.inputs.domains import InputDomain, domain_of, read_domain
from clonetruth.parsing import parse_toml
from clonetruth.store import Benchmark

_STATED = "SELECT f.id AS id, d.parameters AS parameters FROM stated d JOIN functionalities f USING (functionality)"
_HINT = (
    'A table for each functionality, with parameters = [{name = "n", domain = {kind = "integer", min = 0, max = 9}}].'
)


def stated_domains(benchmark: Benchmark, path: Path | None = None) -> dict[str | None, InputDomain]:
    """The permitted inputs of each functionality for which they are stated, by its id.

    Args:
        benchmark: what its source states.
        path: a file that says otherwise, or more (TOML, a table for each functionality).

    Raises:
        InputError: the file, or what the benchmark holds, is not valid; or it names an unknown functionality.
    """
    found: dict[str | None, InputDomain] = {}
    for name in benchmark.names("domains"):
        for row in benchmark.sql(_STATED, stated=benchmark.table(f"domains/{name}")).to_pylist():
            try:
                found[row["id"]] = read_domain(row["parameters"])
            except ValueError as error:
                where = f"domains/{name}, {row['id']}"
                raise InputError(f"The domains of the benchmark are damaged: {error}.", where=where) from error
    return found if path is None else {**found, **_read_file(path, benchmark)}


def _read_file(path: Path, benchmark: Benchmark) -> dict[str | None, InputDomain]:
    try:
        said = parse_toml(read_text(path))
    except OSError as error:
        raise InputError(f"Cannot read the domains: {error.strerror}.", where=path) from error
    except ValueError as error:
        raise InputError(f"Not a TOML file: {error}.", where=path, hint=_HINT) from error
    known = set(benchmark.sql("SELECT id FROM functionalities")["id"].to_pylist())
    found: dict[str | None, InputDomain] = {}
    for name, table in said.items():
        if name not in known:
            raise InputError(f"The benchmark has no functionality '{name}'.", where=path)
        try:
            found[name] = domain_of(table.get("parameters") if isinstance(table, dict) else None)
        except ValueError as error:
            raise InputError(f"Not a domain: {error}.", where=f"{path}, {name}", hint=_HINT) from error
    if not found:
        raise InputError("The file states no domain.", where=path, hint=_HINT)
    return found
