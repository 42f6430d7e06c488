"""Writing tables into docs/generalisation.md: nothing that was measured before may get lost."""

from __future__ import annotations

import pytest
from bench.generalisation_tables import page_with_tables, with_kept_rows

from clonetruth.errors import InputError

OLD = """| detector | random |
| --- | --- |
| `mlp` | 0.83 |
| `astnn` | 0.85 |
| `tbccd:pace=no` | 0.77 |
| always yes | 0.40 |

`mlp`, `tbccd:pace=no`: at most 2,000 training pairs; 2026-11-17.
`astnn`: at most 500 training pairs; 2026-11-17."""
NEW = """| detector | random |
| --- | --- |
| `fa-ast` | 0.55 |
| `mlp` | 0.84 |
| always yes | 0.41 |

`fa-ast`, `mlp`: at most 2,000 training pairs; 2026-11-18."""
COLUMNS = "| view | `mlp` | `{}` |\n| --- | --- | --- |\n| random | 0.8 | 0.7 |\n"


def page(lines: str) -> str:
    return (
        f"before\n<!-- begin one -->\n{lines}\n<!-- end one -->\nbetween\n<!-- begin two -->\nold\n<!-- end two -->\n"
    )


def test_a_table_replaces_the_one_between_its_markers() -> None:
    made = {"one": NEW.replace("`fa-ast`", "`astnn`").replace("`mlp`", "`tbccd:pace=no`, `mlp`"), "two": "new"}
    written = page_with_tables(page(OLD), made)
    assert written == page(made["one"]).replace("\nold\n", "\nnew\n")


def test_only_named_tables_are_written() -> None:
    written = page_with_tables(page(NEW), {"one": NEW.replace("0.84", "0.85"), "two": "new"}, ["one"])
    assert written == page(NEW.replace("0.84", "0.85"))


def test_a_detector_without_cells_is_not_deleted() -> None:
    with pytest.raises(InputError, match=r"'one' would lose astnn, tbccd:pace=no"):
        page_with_tables(page(OLD), {"one": NEW, "two": "new"})
    with pytest.raises(InputError, match="'one' would lose nearmiss"):
        page_with_tables(page(COLUMNS.format("nearmiss")), {"one": COLUMNS.format("ncd"), "two": "new"}, keep=True)


def test_rows_are_kept_with_what_was_said_of_them() -> None:
    kept = with_kept_rows(OLD, NEW).splitlines()
    assert kept == [
        "| detector | random |",
        "| --- | --- |",
        "| `mlp` | 0.84 |",
        "| `astnn` | 0.85 |",
        "| `tbccd:pace=no` | 0.77 |",
        "| `fa-ast` | 0.55 |",
        "| always yes | 0.41 |",
        "",
        "`fa-ast`, `mlp`: at most 2,000 training pairs; 2026-11-18.",
        "`tbccd:pace=no`: at most 2,000 training pairs; 2026-11-17.",
        "`astnn`: at most 500 training pairs; 2026-11-17.",
    ]
    assert "\n".join(kept) in page_with_tables(page(OLD), {"one": NEW, "two": "new"}, keep=True)


def test_rows_of_a_table_with_other_columns_are_not_kept() -> None:
    """A kept row must have the columns of the new table."""
    other = NEW.replace("| random |", "| cross-all |")
    assert with_kept_rows(OLD, other) == other
    with pytest.raises(InputError, match="would lose astnn"):
        page_with_tables(page(OLD), {"one": other, "two": "new"}, keep=True)


def test_a_table_without_a_place_and_a_place_without_a_table_are_errors() -> None:
    for made in ({"one": NEW}, {"one": NEW, "two": "new", "three": "new"}):
        with pytest.raises(InputError, match="markers and the tables differ"):
            page_with_tables(page(NEW), made)
