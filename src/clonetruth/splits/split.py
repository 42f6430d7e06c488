"""Splits as artefacts: named, hashed, written into the benchmark, and rebuilt to verify them."""

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
from clonetruth.options.declaration import verb
from clonetruth.options.split import SplitOptions
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress, no_progress
from clonetruth.splits.builder import PartCounts, build, leakage_rules
from clonetruth.splits.spec import Sampling, SplitSpec, read_ratio, seen_paths
from clonetruth.splits.split_data import SplitData
from clonetruth.splits.view import VIEWS, View
from clonetruth.splits.virtual_pairs import can_draw_pairs
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.hashing import TableHasher, hash_file, hash_parquet
from clonetruth.store.schemas import PARTS
from clonetruth.verdicts.policies import ORIGIN, POLICIES, judge_verdicts


@dataclass(frozen=True, repr=False)
class Split:
    """A division of a benchmark's fragments: a named, hashed artefact.

    Attributes:
        name: its name in the benchmark.
        path: the Parquet file.
        digest: hash of the rows (fragment, part).
        sample_digest: hash of the drawn pairs; None where all pairs are used.
        options: the options that it was made with.
        parts: what is in each part.
        left_out: how many fragments were left out for each reason.
        crossing: pairs with a verdict that are in no part, because their fragments are in none or in two.
        rules: the codes of the leakage rules that were run.
        findings: what these rules found; always empty, since a split that leaks is not written.
        warnings: which balance limits the data could not meet.
    """

    name: str
    path: Path
    digest: str
    sample_digest: str | None
    options: SplitSpec
    parts: Mapping[str, PartCounts]
    left_out: Mapping[str, int]
    crossing: int
    rules: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = ", ".join(f"{part} {counts.fragments:,}" for part, counts in self.parts.items())
        return f"<Split {self.name}: {parts} fragments>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, notebook

        columns = (
            Column("part"),
            Column("fragments", "count"),
            Column("pairs", "count"),
            Column("clones", "count"),
            Column("share of clones", "percent", 1),
            Column("functionalities", "count"),
        )
        rows = []
        for part, one in self.parts.items():
            share = one.clones / one.pairs if one.pairs else None
            rows.append((part, one.fragments, one.pairs, one.clones, share, one.functionalities))
        facts = {
            "view": self.options.view,
            "fragments left out": f"{sum(self.left_out.values()):,}",
            "pairs between parts": f"{self.crossing:,}",
            "leakage rules passed": ", ".join(self.rules) or "none",
        }
        table = notebook.table(columns, rows)
        return notebook.view("Split", notebook.facts(facts), table, *self.warnings, subtitle=self.name)


@verb(SplitOptions)
def split_benchmark(options: SplitOptions, *, progress: Progress | None = None) -> Split:
    """Divide the fragments of a benchmark into train, valid and test so that nothing leaks.

    The split is written into the benchmark, as splits/NAME.parquet. With `verify` no split is made: the named one is
    rebuilt and compared.

    Args:
        progress: called as the work proceeds.

    Returns:
        The split: its parts, what was left out, and its digest.

    Raises:
        InputError: the benchmark lacks what the view needs, no such split is possible (the hint says what is), or the
            benchmark already has a split of that name.
        UnknownNameError: there is no such view, policy or engine.
        BenchmarkError: the split that is verified differs.

    Example:
        >>> split = clonetruth.split_benchmark("my-benchmark", "cross-functionality", seed=1)
        >>> list(split.parts)
        ['train', 'valid', 'test']
        >>> clonetruth.split_benchmark("my-benchmark", verify=split.name).digest == split.digest
        True
    """
    if (options.view is None) is (options.verify is None):
        raise InputError("Give either a view, or a split to verify.", where="view")
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    if options.verify is not None:
        verify_split(benchmark, options.verify, progress)
        return read_split(benchmark, options.verify)
    return create_split(benchmark, _spec(options), progress, replace=options.replace)


def _spec(options: SplitOptions) -> SplitSpec:
    return SplitSpec(
        view=options.view or "",
        seed=options.seed,
        ratio=read_ratio(options.ratio),
        variant=options.variant,
        policy=options.policy,
        criterion=options.criterion,
        near_duplicates=options.near_duplicates == "together",
        both_classes=not options.one_class,
        min_fragments=options.min_fragments,
        min_pairs=options.min_pairs,
        folds=options.folds,
        fold=options.fold,
        sampling=Sampling(
            options.train_pairs, options.valid_pairs, options.test_pairs, options.clone_share, options.balance
        ),
        all_pairs=options.all_pairs,
        against=tuple(str(path.absolute()) for path in options.against),
        label=options.name or (options.view if _is_official(options.view) else None),
        assignment=options.assignment,
        tolerance=options.tolerance,
        train_functionalities=options.train_functionalities,
        train_functionality=options.train_functionality,
        max_functionality_fragments=options.max_functionality_fragments,
        min_functionality_fragments=options.min_functionality_fragments,
    )


def ensure_split(benchmark: Benchmark, view: str | None) -> None:
    """Write an official split that is asked for by the name of its view, if the benchmark does not have it yet.

    Raises:
        InputError: the benchmark does not have what was divided.
    """
    if _is_official(view) and view not in benchmark.names("splits"):
        create_split(benchmark, SplitSpec(view or "", both_classes=False, label=view))


def _is_official(view: str | None) -> bool:
    return view is not None and view in VIEWS and VIEWS[view].official


def create_split(
    benchmark: Benchmark, spec: SplitSpec, progress: Progress | None = None, *, replace: bool = False
) -> Split:
    """Divide the fragments of a benchmark by a view, and write the split.

    Args:
        benchmark: the benchmark.
        spec: what to split, and how.
        progress: called as the work proceeds.
        replace: replace a split of the same name.

    Raises:
        UnknownNameError: there is no such view or policy.
        InputError: the benchmark lacks what the view needs, or no such split is possible; the hint says what is.
    """
    view = _checked(spec)
    if not replace and spec.name in benchmark.names("splits"):
        raise InputError(
            f"The benchmark already has a split '{spec.name}'.",
            where=benchmark.path,
            hint="Replace it with --replace, or give another seed or name.",
        )
    verdicts = _verdicts(benchmark, spec)
    path = None if verdicts is None else benchmark.parquet(f"verdicts/{verdicts}")[0]
    virtual = can_draw_pairs(benchmark, spec.policy)
    if virtual and spec.both_classes and not benchmark.card.problems_disjoint:
        raise InputError(
            "There are no non-clones: the card does not call the functionalities disjoint, so that pairs across them "
            "have no verdict.",
            where=benchmark.path,
            hint="`clonetruth build contest … --at-least 2 --overlapping-problems leave-out --no-pairs` makes a "
            "benchmark of disjoint problems. --one-class splits anyway: retrieval needs no non-clones.",
        )
    built = build(SplitData(benchmark, spec, path, virtual, progress or no_progress), view)
    digest = hash_table(built.table)
    sample_digest = None if built.sample is None else hash_table(built.sample)
    codes = leakage_rules(view, near_duplicates=spec.near_duplicates)
    summary = {
        "parts": {name: asdict(counts) for name, counts in built.parts.items()},
        "left_out": built.division.left_out,
        "crossing": built.crossing,
        "rules": codes,
        "warnings": built.warnings,
        "against": {str(one): _seen_hash(one) for one in seen_paths(spec)},
    }
    metadata = {
        "view": spec.view,
        "options": spec.record(),
        "digest": digest,
        "verdicts": verdicts or "",
        "sample_digest": sample_digest or "",
        "summary": json.dumps(summary, sort_keys=True),
    }
    _write_sample(benchmark, spec.name, built.sample, metadata)
    benchmark.write_table("splits", spec.name, built.table, metadata, replace=replace)
    return read_split(benchmark, spec.name)


def read_split(benchmark: Benchmark, name: str) -> Split:
    """Read a split that `create_split` wrote.

    Raises:
        InputError: there is no such split, or another program wrote it.
    """
    path = benchmark.parquet(f"splits/{name}")[0]
    metadata = benchmark.metadata(f"splits/{name}")
    if "options" not in metadata:
        raise InputError(
            "The split does not record how it was made.",
            where=path,
            hint="Only splits that `clonetruth split` wrote can be read.",
        )
    summary: dict[str, Any] = parse_json(metadata["summary"])
    return Split(
        name=name,
        path=path,
        digest=metadata["digest"],
        sample_digest=metadata["sample_digest"] or None,
        options=SplitSpec.read(metadata["options"], path),
        parts={part: PartCounts(**summary["parts"][part]) for part in PARTS if part in summary["parts"]},
        left_out=summary["left_out"],
        crossing=summary["crossing"],
        rules=tuple(summary["rules"]),
        # Earlier versions did not draw groups, so there was nothing to warn of.
        warnings=tuple(summary.get("warnings", ())),
    )


def verify_split(benchmark: Benchmark, name: str, progress: Progress | None = None) -> None:
    """Rebuild a split from its recorded options, and compare.

    Raises:
        InputError: it cannot be rebuilt: the verdicts or the lists that it was made from are missing or have changed.
        BenchmarkError: the rebuilt split differs.
    """
    recorded = read_split(benchmark, name)
    metadata = benchmark.metadata(f"splits/{name}")
    if metadata["content_hash"] != benchmark.content_hash:
        raise BenchmarkError("The split was made from another benchmark.", where=recorded.path)
    view = _checked(recorded.options)
    path = None
    if metadata["verdicts"]:
        if metadata["verdicts"] not in benchmark.names("verdicts"):
            # The table is derived: without new judgements it comes out the same.
            judge_verdicts(benchmark, recorded.options.policy, recorded.options.criterion)
        path = benchmark.parquet(f"verdicts/{metadata['verdicts']}")[0]
    for seen, known in parse_json(metadata["summary"])["against"].items():
        if _seen_hash(Path(seen)) != known:
            raise InputError(
                "The list is not the one that the split was made with.", where=seen, hint="Restore the original list."
            )
    virtual = can_draw_pairs(benchmark, recorded.options.policy)
    built = build(SplitData(benchmark, recorded.options, path, virtual, progress or no_progress), view)
    stored = [("splits", built.table, recorded.digest), ("samples", built.sample, recorded.sample_digest)]
    for kind, table, digest in stored:
        if table is None or digest is None:
            continue
        file = benchmark.parquet(f"{kind}/{name}")[0]
        if hash_parquet([file], table.column_names) != digest:
            raise BenchmarkError("The rows were changed after they were written.", where=file)
        if hash_table(table) != digest:
            raise BenchmarkError("Rebuilding the split gives different rows.", where=file)


def hash_table(table: pa.Table) -> str:
    """Hash the rows of a table, as `hash_parquet` does for a file."""
    hasher = TableHasher(table.column_names)
    for batch in table.to_batches():
        hasher.update(batch)
    return hasher.hexdigest()


def _checked(options: SplitSpec) -> View:
    view = VIEWS[options.view]
    view.variant(options.variant)
    if (view.only_test or view.official) and options.folds is not None:
        why = "it only has a test part" if view.only_test else "its parts are given"
        raise InputError(f"The view '{view.name}' has no folds: {why}.", hint="Leave --folds and --fold out.")
    chosen = options.train_functionalities is not None or options.train_functionality
    if chosen and "CT505" not in view.rules:
        raise InputError(
            f"The view '{view.name}' does not divide functionalities.",
            hint="Views that take --train-functionalities and --train-functionality: cross-functionality, cross-all.",
        )
    if options.against and not view.only_test:
        raise InputError(
            f"The view '{view.name}' takes no lists of seen fragments.", hint="Views that take --against: unseen-*."
        )
    return view


def _verdicts(benchmark: Benchmark, options: SplitSpec) -> str | None:
    """The name of the verdict table; None where there are no pairs."""
    if not benchmark.counts["pairs"]:
        return None
    table = judge_verdicts(benchmark, options.policy, options.criterion)
    clones, others = table.counts[VerdictValue.CLONE], table.counts[VerdictValue.NOT_CLONE]
    other_policies = ", ".join(name for name in POLICIES if name != options.policy)
    if not clones + others:
        raise InputError(
            f"No pair has a verdict under the policy '{options.policy}' and the criterion '{table.criterion}'.",
            where=benchmark.path,
            hint="Add judgements, or use the policy 'origin', which believes the dataset's own labels. "
            f"Other policies: {other_policies}."
            if options.policy != ORIGIN.name
            else f"Other policies: {other_policies}.",
        )
    if options.both_classes and not (clones and others):
        missing = "clones" if not clones else "non-clones"
        raise InputError(
            f"There are no {missing} under the policy '{options.policy}'.",
            where=benchmark.path,
            hint=f"Other policies: {other_policies}. --one-class splits anyway: retrieval needs no non-clones.",
        )
    return table.name


def _seen_hash(path: Path) -> str:
    if path.is_dir():
        return Benchmark.open(path).content_hash
    if not path.is_file():
        raise InputError("The list does not exist.", where=path, hint="Check the path given with --against.")
    return hash_file(path)


def _write_sample(benchmark: Benchmark, name: str, sample: pa.Table | None, metadata: Mapping[str, str]) -> None:
    """Write the drawn pairs; the sample of a split that is replaced must not outlive it."""
    if sample is not None:
        benchmark.write_table("samples", name, sample, metadata, replace=True)
    elif name in benchmark.names("samples"):
        benchmark.parquet(f"samples/{name}")[0].unlink()
