"""`clonetruth find` on a block file of SourcererCC: bags of tokens without code, so all there is to tell is pairs."""

from __future__ import annotations

from pathlib import Path

import click

from clonetruth.cli.output import progress_bar
from clonetruth.errors import InputError

_FINDER, _FORMATS = ("tokens",), ("text", "csv")


def block_file(paths: tuple[Path, ...]) -> Path | None:
    """The block file that was given; None where source code was.

    Raises:
        InputError: a block file among other paths.
    """
    from clonetruth.formats.sourcerer_blocks import is_block_file

    found = [path for path in paths if path.is_file() and is_block_file(path)]
    if found and len(paths) > 1:
        raise InputError("A block file is searched by itself.", where=found[0], hint="Leave out other paths.")
    return found[0] if found else None


def block_text(path: Path, finders: tuple[str, ...], form: str, threshold: float | None) -> str:
    """The pairs of blocks as CSV: `left,right,score`.

    Args:
        path: the block file.
        finders: who looks for clones: nobody else than `tokens` can.
        form: the format that was asked for.
        threshold: the least score; the finder's own unless told.

    Raises:
        InputError: the file cannot be read.
        click.UsageError: another finder or format.
    """
    from clonetruth.detectors import FindOptions
    from clonetruth.find import block_pairs

    if finders not in ((), _FINDER) or form not in _FORMATS:
        raise click.UsageError("Blocks have tokens and no text: give --with tokens, and --format csv.")
    with progress_bar() as progress:
        pairs = block_pairs(path, FindOptions(threshold).threshold, progress=progress)
    rows = zip(*(column.to_pylist() for column in pairs.columns), strict=True)
    return "".join(["left,right,score\n", *(f"{left},{right},{score}\n" for left, right, score in rows)])
