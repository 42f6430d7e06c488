"""What the index keeps of a walk through a source tree, so that the next one opens only files that changed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import astuple
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa

from clonetruth.code.discovery import DiscoveryOptions
from clonetruth.code.discovery_memo import DiscoveryMemo, HeadRemark, KnownHead
from clonetruth.find.index import IndexFile, package_versions
from clonetruth.find.snapshot import STATES, state_columns, stored_states

_HEADS = pa.schema(
    [
        *STATES,
        pa.field("languages", pa.string(), nullable=False),
        pa.field("given", pa.bool_(), nullable=False),
        pa.field("remark", pa.int8(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
    ]
)
_PACKAGES = ("clonetruth", "tree-sitter", "tree-sitter-c", "tree-sitter-cpp")
"""What decides the language of a header, besides the files."""


class WalkNote:
    """The walk through some paths, with some options.

    Args:
        index: the index.
        paths: the files and folders.
        options: which files to discover.

    Attributes:
        memo: what the last walk learned; `discover` fills it.
    """

    def __init__(self, index: IndexFile, paths: Sequence[Path], options: DiscoveryOptions) -> None:
        walk = repr((os.fspath(Path.cwd()), [os.fspath(path) for path in paths], astuple(options)))
        name = blake2b(walk.encode("utf-8", errors="surrogateescape"), digest_size=16).hexdigest()
        self._note = index.table(repr(("walk", package_versions(_PACKAGES)))).note(name)
        self.memo = DiscoveryMemo(self._known())

    def _known(self) -> dict[str, KnownHead]:
        table = self._note.load()
        if table is None:
            return {}
        languages, given, remarks, chosen = (table[field.name].to_pylist() for field in list(_HEADS)[len(STATES) :])
        split = {joined: tuple(joined.split(",")) for joined in set(languages)}
        return {
            os.fsdecode(path): KnownHead(state, split[names], by_name, HeadRemark(remark), language)
            for path, state, names, by_name, remark, language in zip(
                table["path"].to_pylist(), stored_states(table), languages, given, remarks, chosen, strict=True
            )
            if state is not None
        }

    def save(self) -> None:
        """Store what the walk learned, unless nothing changed."""
        seen = self.memo.seen
        if seen == self.memo.known:
            return
        heads = list(seen.values())
        columns = [
            *state_columns([os.fsencode(path) for path in seen], [head.state for head in heads]),
            pa.array([",".join(head.languages) for head in heads], pa.string()),
            pa.array([head.given for head in heads], pa.bool_()),
            pa.array([int(head.remark) for head in heads], pa.int8()),
            pa.array([head.language for head in heads], pa.string()),
        ]
        self._note.save(pa.table(columns, schema=_HEADS))
