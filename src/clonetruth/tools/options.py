"""What a user asks of an external tool."""

from __future__ import annotations

from dataclasses import dataclass, field

from clonetruth.detectors.finder import FindOptions
from clonetruth.errors import InputError
from clonetruth.tools.process import ProcessLimits


@dataclass(frozen=True)
class ToolOptions(FindOptions):
    """Which clones are reported, and how the tool is run. Options that a tool has no use for are told in its run.

    Attributes:
        by_folder: run it once for each folder that stands directly in the source, and compare nothing across them.
        max_files: the most files of one run. More are divided into blocks of half the number, and every two blocks run
            together: no pair of files is lost.
        limits: the time and the memory of one run.

    Raises:
        InputError: a value out of its range.
    """

    by_folder: bool = False
    max_files: int | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_files is not None and self.max_files < 2:
            raise InputError(
                f"With {self.max_files} files at a time, no two are compared.",
                where="max_files",
                hint="Give 2 or more.",
            )
