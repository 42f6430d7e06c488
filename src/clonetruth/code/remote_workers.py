"""Workers on other machines: what a cluster must offer, and what runs on its workers.

A result is written as an Arrow file to a folder that this process and all workers see, and only its name travels
through the cluster: results may be larger than the memory of the cluster's own processes.
"""

from __future__ import annotations

import functools
import pickle
import secrets
import sys
from collections.abc import Callable, Sequence
from hashlib import blake2b
from importlib.metadata import distributions
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

import pyarrow as pa

from clonetruth import __version__

A = TypeVar("A")
S = TypeVar("S")


@runtime_checkable
class RemoteWorkers(Protocol):
    """Calls pure functions on workers that need not be on this machine."""

    def map_batches(
        self,
        function: Callable[[S, A], pa.Table],
        shared: S,
        batches: Sequence[A],
        report: Callable[[int, int], None],
    ) -> list[pa.Table]:
        """Return the results of ``function(shared, batch)`` in the order of the batches.

        Args:
            function: a module-level function of clonetruth (it is pickled by name).
            shared: the argument that all calls share.
            batches: the work, one call for each.
            report: called with the number of calls done since the last time, and the number of all calls.

        Raises:
            InputError: the workers have another clonetruth or none, do not see the shared folder, or make no progress.
        """
        ...


class RemoteError(Exception):
    """Something on a worker that the user can fix. Its text is all that a cluster hands on."""


def run_remotely(program: str, task: bytes, number: int, batch: bytes, folder: str) -> tuple[int, str]:
    """Call a function on a worker, and return the number of the call and the name of the file with the result.

    Args:
        program: the `program_digest` of the process that asks.
        task: the function and its shared argument, pickled.
        number: the number of the call.
        batch: the other argument, pickled.
        folder: where the result is written.

    Raises:
        RemoteError: this worker would compute something else, or the folder is not there.
    """
    if program != program_digest():
        raise RemoteError(
            f"clonetruth {__version__} in {Path(__file__).parents[1]} on a worker, or its grammars, "
            "are not the same as here."
        )
    function, shared = pickle.loads(task)
    table: pa.Table = function(shared, pickle.loads(batch))
    # If a call is repeated elsewhere, each attempt has its own file, and the name of a complete one is returned.
    name = f"{number}-{secrets.token_hex(8)}.arrow"
    try:
        with pa.OSFile(str(Path(folder, name)), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    except OSError as error:
        raise RemoteError(f"A worker cannot write to the shared temporary folder {folder}: {error}") from error
    return number, name


@functools.cache
def program_digest() -> str:
    """A digest of all that decides what a worker computes: clonetruth's code, the grammars, numpy, Arrow and Python."""
    digest = blake2b(repr(sys.version_info[:3]).encode(), digest_size=16)
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    digest.update(repr(sorted(_libraries())).encode())
    return digest.hexdigest()


def _libraries() -> set[tuple[str, str]]:
    installed = {(one.name.lower().replace("_", "-"), one.version) for one in distributions()}
    return {
        (name, version) for name, version in installed if name in ("numpy", "pyarrow") or name.startswith("tree-sitter")
    }
