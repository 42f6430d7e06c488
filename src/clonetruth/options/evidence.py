"""`clonetruth make evidence`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, argument, option
from clonetruth.options.shared import JsonOptions, ProcessOptions


@dataclass(frozen=True, kw_only=True)
class EvidenceOptions(ProcessOptions, JsonOptions, Options, command="make evidence", function="make_evidence"):
    """Execute functionalities in the sandbox, and check or write the evidence of every label.

    A functionality is a folder in the layout of TrueClones (docs/trueclones.md). Implementations must agree on all
    shared and generated inputs in all languages; near misses must differ. A functionality that fails is refused with
    the reason, and gets no evidence. Exits with 1 if a functionality is refused, or its evidence is out of date.
    """

    folder: Path | None = argument(None, help="A folder of functionalities (default: those of TrueClones).")
    only: tuple[str, ...] = option((), metavar="ID", help="Only this functionality; may be given several times.")
    write: bool = option(False, setting=False, help="Write the files evidence.json (default: only compare).")
    generated: int = option(500, minimum=1, help="Number of generated inputs.")
