"""Splits as artefacts: named, hashed, written into the benchmark, and built again to compare."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.audit import Finding
from clonetruth.errors import BenchmarkError, InputError
from clonetruth.model import VerdictValue
from clonetruth.progress import Progress, no_progress
from clonetruth.splits.builder import PartCounts, build, leakage_rules
from clonetruth.splits.options import SplitOptions, against_paths
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import VIEWS, View
from clonetruth.store import Benchmark
from clonetruth.store.hashing import TableHasher, hash_file, hash_parquet
from clonetruth.store.schemas import PARTS
from clonetruth.verdicts.policies import POLICIES, judge_verdicts


@dataclass(frozen=True)
class Split:
    """A division of a benchmark's fragments: a named, hashed artefact.

    Attributes:
        name: its name in the benchmark.
        path: the Parquet file.
        digest: of the rows (fragment, part).
        sample_digest: of the drawn pairs; None where all pairs are used.
        options: what was asked for.
        parts: what is in each part.
        left_out: how many fragments were left out for each reason.
        crossing: pairs with a verdict that are in no part, since their fragments are in none or in two.
        rules: the codes of the leakage rules that were run.
        findings: what they found: nothing, or there is no split.
    """

    name: str
    path: Path
    digest: str
    sample_digest: str | None
    options: SplitOptions
    parts: Mapping[str, PartCounts]
    left_out: Mapping[str, int]
    crossing: int
    rules: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def split(
    benchmark: Benchmark, options: SplitOptions, progress: Progress | None = None, *, replace: bool = False
) -> Split:
    """Divide the fragments of a benchmark by a view, and write the split.

    Args:
        benchmark: the benchmark.
        options: what to split, and how.
        progress: told what is being done.
        replace: put it in the place of a split of that name.

    Raises:
        UnknownNameError: there is no such view or policy.
        InputError: the benchmark lacks what the view needs, or the request cannot be met; the hint says what can.
    """
    view = _checked(options)
    if not replace and options.name in benchmark.names("splits"):
        raise InputError(
            f"The benchmark has a split '{options.name}' already.",
            where=benchmark.path,
            hint="Ask for it to be replaced, or give another seed or name.",
        )
    verdicts = _verdicts(benchmark, options)
    path = None if verdicts is None else benchmark.parquet(f"verdicts/{verdicts}")[0]
    material = SplitData(benchmark, options, path, progress or no_progress)
    built = build(material, view)
    digest = hash_table(built.table)
    sample_digest = None if built.sample is None else hash_table(built.sample)
    codes = leakage_rules(view, near_duplicates=options.near_duplicates)
    summary = {
        "parts": {name: asdict(counts) for name, counts in built.parts.items()},
        "left_out": built.division.left_out,
        "crossing": built.crossing,
        "rules": codes,
        "against": {str(one): _seen_hash(one) for one in against_paths(options)},
    }
    metadata = {
        "view": options.view,
        "options": options.record(),
        "digest": digest,
        "verdicts": verdicts or "",
        "sample_digest": sample_digest or "",
        "summary": json.dumps(summary, sort_keys=True),
    }
    _write_sample(benchmark, options.name, built.sample, metadata)
    benchmark.write_table("splits", options.name, built.table, metadata, replace=replace)
    return read_split(benchmark, options.name)


def read_split(benchmark: Benchmark, name: str) -> Split:
    """A split that `split` wrote.

    Raises:
        InputError: there is no such split, or something else wrote it.
    """
    path = benchmark.parquet(f"splits/{name}")[0]
    metadata = benchmark.metadata(f"splits/{name}")
    if "options" not in metadata:
        raise InputError("The split does not say how it was made.", where=path, hint="Splits of `clonetruth split` do.")
    summary: dict[str, Any] = json.loads(metadata["summary"])
    return Split(
        name=name,
        path=path,
        digest=metadata["digest"],
        sample_digest=metadata["sample_digest"] or None,
        options=SplitOptions.read(metadata["options"], path),
        parts={part: PartCounts(**summary["parts"][part]) for part in PARTS if part in summary["parts"]},
        left_out=summary["left_out"],
        crossing=summary["crossing"],
        rules=tuple(summary["rules"]),
    )


def verify_split(benchmark: Benchmark, name: str, progress: Progress | None = None) -> None:
    """Build a split again from its recorded options, and compare.

    Raises:
        InputError: it cannot be built again: the verdicts or the lists that it was made from are gone or changed.
        BenchmarkError: what comes out is something else.
    """
    recorded = read_split(benchmark, name)
    metadata = benchmark.metadata(f"splits/{name}")
    if metadata["content_hash"] != benchmark.content_hash:
        raise BenchmarkError("The split was made of another benchmark.", where=recorded.path)
    view = _checked(recorded.options)
    path = None
    if metadata["verdicts"]:
        if metadata["verdicts"] not in benchmark.names("verdicts"):
            # The table is derived: while nobody has judged anew, it comes out the same.
            judge_verdicts(benchmark, recorded.options.policy, recorded.options.criterion)
        path = benchmark.parquet(f"verdicts/{metadata['verdicts']}")[0]
    for seen, known in json.loads(metadata["summary"])["against"].items():
        if _seen_hash(Path(seen)) != known:
            raise InputError("The list is not the one that the split was made with.", where=seen)
    built = build(SplitData(benchmark, recorded.options, path, progress or no_progress), view)
    stored = [("splits", built.table, recorded.digest), ("samples", built.sample, recorded.sample_digest)]
    for kind, table, digest in stored:
        if table is None or digest is None:
            continue
        file = benchmark.parquet(f"{kind}/{name}")[0]
        if hash_parquet([file], table.column_names) != digest:
            raise BenchmarkError("The rows were changed after they were written.", where=file)
        if hash_table(table) != digest:
            raise BenchmarkError("Built again, the rows are others.", where=file)


def hash_table(table: pa.Table) -> str:
    """The hash of a table's rows, as `hash_parquet` computes it."""
    hasher = TableHasher(table.column_names)
    for batch in table.to_batches():
        hasher.update(batch)
    return hasher.hexdigest()


def _checked(options: SplitOptions) -> View:
    view = VIEWS[options.view]
    view.variant(options.variant)
    if view.only_test and options.folds is not None:
        raise InputError(f"The view '{view.name}' has no folds: all that is left is test.")
    if options.against and not view.only_test:
        raise InputError(f"The view '{view.name}' takes no lists of what was seen.", hint="Views that do: unseen-*.")
    return view


def _verdicts(benchmark: Benchmark, options: SplitOptions) -> str | None:
    """The name of the table of verdicts; None where there are no pairs."""
    if not benchmark.counts["pairs"]:
        return None
    table = judge_verdicts(benchmark, options.policy, options.criterion)
    clones, others = table.counts[VerdictValue.CLONE], table.counts[VerdictValue.NOT_CLONE]
    others_policies = ", ".join(name for name in POLICIES if name != options.policy)
    if not clones + others:
        raise InputError(
            f"No pair has a verdict under the policy '{options.policy}' and the criterion '{table.criterion}'.",
            where=benchmark.path,
            hint=f"Other policies: {others_policies}.",
        )
    if options.both_classes and not (clones and others):
        missing = "clones" if not clones else "non-clones"
        raise InputError(
            f"There are no {missing} under the policy '{options.policy}'.",
            where=benchmark.path,
            hint=f"Other policies: {others_policies}. --one-class splits nevertheless: retrieval needs no non-clones.",
        )
    return f"{table.policy}-{table.digest}"


def _seen_hash(path: Path) -> str:
    if path.is_dir():
        return Benchmark.open(path).content_hash
    if not path.is_file():
        raise InputError("The list is missing.", where=path)
    return hash_file(path)


def _write_sample(benchmark: Benchmark, name: str, sample: pa.Table | None, metadata: Mapping[str, str]) -> None:
    """Write the drawn pairs; a sample of an earlier split of that name must not outlive it."""
    if sample is not None:
        benchmark.write_table("samples", name, sample, metadata, replace=True)
    elif name in benchmark.names("samples"):
        benchmark.parquet(f"samples/{name}")[0].unlink()
