"""What a user wants to be searched: folders, files, and ranges of git revisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from clonetruth.code.discovery import Discovery, DiscoveryOptions, discover
from clonetruth.code.git import Repository, RevisionRange
from clonetruth.errors import InputError


@contextmanager
def targets(paths: Sequence[Path], options: DiscoveryOptions, *, since: str | None = None) -> Iterator[Discovery]:
    """The files that are to be searched, for as long as the block lasts.

    A range of revisions (``main..feature``) stands for the files that it changed, as they are at its end; without an
    end (``main..``) as they are in the working tree. The repository is that of the working folder.

    Args:
        paths: what is to be searched.
        options: which files count.
        since: a revision that changes are asked for; a range has revisions of its own.

    Raises:
        InputError: a path does not exist, there is no source file, or git does not know a revision.
    """
    asked = [RevisionRange.read(str(path)) for path in paths]
    if not any(asked):
        yield _found(discover(paths, options))
        return
    (only, *more) = asked
    if only is None or more or since is not None:
        raise InputError(
            "A range of revisions is searched by itself.", where=paths[0], hint="Leave out other paths and revisions."
        )
    repository = Repository(Path())
    names = repository.changed_files(only)
    if only.last is None:
        yield _changed(discover([repository.top], options), {repository.top / name for name in names})
        return
    with repository.files_at(only.last, names) as folder:
        found = discover([folder], options)
        found.files = [file._replace(name=str(file.path.relative_to(folder))) for file in found.files]
        yield found


def _found(found: Discovery) -> Discovery:
    if not found.files and not found.skipped:
        left_out = "; ".join(f"{what} ({len(names):,})" for what, names in found.left_out.items())
        raise InputError(
            "There is no source file to look at.",
            hint=f"Left out: {left_out}." if left_out else "See the languages: clonetruth code languages",
        )
    return found


def _changed(found: Discovery, changed: set[Path]) -> Discovery:
    """Of what was found, the files that were changed; what was left out elsewhere is nobody's business."""
    files = [file for file in found.files if file.path.resolve() in changed]
    return Discovery(files, found.skipped)
