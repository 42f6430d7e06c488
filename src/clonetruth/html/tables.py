"""Tables with typed columns: numbers are aligned and formatted; a script makes them sortable and filterable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from clonetruth.html import numbers
from clonetruth.html.templating import fill

ColumnKind = Literal["text", "label", "prose", "code", "count", "decimal", "percent"]
Cell = str | int | float | None


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        title: its heading.
        kind: `text`, `label` (a few words, kept on one line), `prose` (sentences, a wide column) and `code` are aligned
            left; `count`, `decimal` and `percent` are numbers and aligned right.
        digits: number of decimals of a `decimal` or `percent`.
    """

    title: str
    kind: ColumnKind = "text"
    digits: int = 2

    @property
    def is_number(self) -> bool:
        """Whether the cells are numbers."""
        return self.kind in ("count", "decimal", "percent")

    @property
    def css(self) -> str:
        """The CSS class of its cells; empty for none."""
        return "number" if self.is_number else self.kind if self.kind in ("label", "prose") else ""

    def show(self, value: Cell) -> str:
        """A cell as text; None and NaN are a dash."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return numbers.UNKNOWN
        if isinstance(value, str) or not self.is_number:
            return str(value) if not isinstance(value, Markup) else value
        if self.kind == "count":
            return numbers.count(int(value))
        if self.kind == "percent":
            return numbers.percent(value, self.digits)
        return numbers.decimal(value, self.digits)

    def sort_key(self, value: Cell) -> str | None:
        """The value that the script sorts a number by; None for text, which is sorted as shown."""
        if not self.is_number or isinstance(value, str):
            return None
        return "" if value is None or math.isnan(value) else repr(value)


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows.

    Attributes:
        columns: the columns.
        rows: one sequence of cells per row, as long as `columns`. Strings are escaped unless they are Markup.
        caption: what the table shows.
        sortable: whether a click on a heading sorts the rows.
        filterable: whether there is a field to filter the rows by text.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    caption: str
    sortable: bool = True
    filterable: bool = False

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"row {number} has {len(row)} cells for {len(self.columns)} columns")

    def __html__(self) -> Markup:
        return fill("table.html.j2", table=self)
