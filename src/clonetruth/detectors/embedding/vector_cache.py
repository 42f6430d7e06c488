"""Vectors on disk: a text is embedded once per model, whatever the benchmark.

One SQLite file per model digest in the user's cache, with the hash of the text as key. Several processes may use it at
once. What is damaged is computed again; deleting the folder `embeddings` of the cache loses nothing but time.
"""

from __future__ import annotations

import hashlib
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from clonetruth.detectors.embedding.embedder import EmbeddedTexts, Vectors32
from clonetruth.errors import CloneTruthWarning
from clonetruth.user_cache import cache_folder

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, tokens INTEGER, vector BLOB) WITHOUT ROWID"
_ASKED = 500
"""Keys per query: SQLite limits the number of parameters."""
_PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""


class VectorCache:
    """The stored vectors of one model; without a place to store them, nothing is known and nothing is kept.

    Args:
        digest: the digest of the model (`Embedder.digest`).
        width: the length of a vector.
        folder: where the files are (default: the folder `embeddings` of the user's cache).
    """

    def __init__(self, digest: str, width: int, folder: Path | None = None) -> None:
        cache = cache_folder()
        place = folder or (cache and cache / "embeddings")
        self._width = width
        self._path = place and place / f"{digest[:32]}.sqlite"

    def read(self, texts: Sequence[str]) -> dict[int, tuple[Vectors32, int]]:
        """The stored vector and number of tokens of each text that is known, by position."""
        positions: dict[bytes, list[int]] = {}
        for position, text in enumerate(texts):
            positions.setdefault(text_key(text), []).append(position)
        found: dict[int, tuple[Vectors32, int]] = {}
        if self._path is None or not self._path.exists():
            return found
        keys = list(positions)
        with self._connection() as connection:
            for first in range(0, len(keys) if connection else 0, _ASKED):
                asked = keys[first : first + _ASKED]
                marks = ",".join("?" * len(asked))
                assert connection is not None
                rows = connection.execute(f"SELECT text, tokens, vector FROM vectors WHERE text IN ({marks})", asked)
                for key, tokens, blob in rows:
                    vector = self._vector(blob)
                    if vector is not None and isinstance(tokens, int):
                        found |= dict.fromkeys(positions[key], (vector, tokens))
        return found

    def write(self, texts: Sequence[str], embedded: EmbeddedTexts) -> None:
        """Store vectors, all of them or none."""
        if self._path is None:
            return
        rows = [
            (text_key(text), int(tokens), vector.astype("<f4").tobytes())
            for text, tokens, vector in zip(texts, embedded.tokens, embedded.vectors, strict=True)
        ]
        with self._connection() as connection:
            if connection is not None:
                connection.execute(_TABLE)
                connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
                connection.commit()

    def _vector(self, blob: object) -> Vectors32 | None:
        if not isinstance(blob, bytes) or len(blob) != 4 * self._width:
            return None
        vector = np.frombuffer(blob, "<f4").astype(np.float32)
        return vector if np.isfinite(vector).all() else None

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection | None]:
        """A connection, or None where the cache cannot be used, which is said once."""
        path = self._path
        if path is None:
            yield None
            return
        connection = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=_PATIENCE)
            yield connection
        except (sqlite3.Error, OSError) as error:
            self._path = None
            warnings.warn(
                f"Vectors are not kept between runs: the cache {path} cannot be used ({error}).",
                CloneTruthWarning,
                stacklevel=2,
            )
            if connection is None:
                yield None
        finally:
            if connection is not None:
                connection.close()


def text_key(text: str) -> bytes:
    """The hash of a text by which its vector is stored."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).digest()
