"""Copies: fragments with the same text up to white space."""

from __future__ import annotations

import pyarrow as pa

from clonetruth.arrow_files import parquet_batches
from clonetruth.audit.texts import digest
from clonetruth.store import Benchmark

_BATCH_ROWS = 1024


def text_digests(benchmark: Benchmark) -> pa.Table:
    """`fragment` and `digest` of every fragment with a text; digests are equal if the texts are, up to white space."""
    (path,) = benchmark.parquet("fragments")
    keys: list[int] = []
    digests: list[int] = []
    for batch in parquet_batches(path, _BATCH_ROWS, ["fragment", "text"]):
        for key, text in zip(batch["fragment"].to_pylist(), batch["text"].to_pylist(), strict=True):
            if text and not text.isspace():
                keys.append(key)
                digests.append(digest(text))
    return pa.table({"fragment": pa.array(keys, pa.int64()), "digest": pa.array(digests, pa.int64())})
