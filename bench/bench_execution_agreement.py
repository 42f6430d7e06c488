"""Execution and people on the same pairs: ``python -m bench.bench_execution_agreement BENCHMARK… [--limit 200]``.

Judges the pairs of each benchmark that people have judged by execution (`clonetruth judge execute`, into the benchmark
folder, so that it can be stopped and started again), and prints, for each criterion that people were asked, how many
pairs execution decided, on how many of those it agrees with the people, and Cohen's kappa with an interval. People who
were asked another question than equal behaviour need not agree: two methods that serve the same purpose may differ on
an input. BENCHMARK is a folder that `clonetruth import` made of bcb406, semanticclonebench or sesame.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.measurement import machine
from clonetruth.judges import judge_by_execution
from clonetruth.store import Benchmark

_JUDGED = "pair IN (SELECT g.pair FROM judgements g JOIN judges j ON g.judge = j.judge WHERE j.kind = 'person')"

_FEWEST = 10
"""Pairs below which a coefficient of agreement says nothing."""

_ANSWERS = """
SELECT g.pair AS pair, g.criterion AS criterion,
    sum(CASE WHEN g.value IN ('clone', 'agree') THEN 1 ELSE 0 END) AS clones,
    sum(CASE WHEN g.value IN ('not-clone', 'disagree') THEN 1 ELSE 0 END) AS others
FROM judgements g
JOIN judges j ON g.judge = j.judge
WHERE j.kind = 'person' AND g.pair IS NOT NULL
GROUP BY g.pair, g.criterion
"""


@dataclass(frozen=True)
class AgreementRow:
    """Execution against the majority of people under one criterion.

    Attributes:
        criterion: what the people were asked.
        judged: pairs on which most of them decided the same.
        table: of those that execution decided: both clone, only people, only execution, neither.
    """

    criterion: str
    judged: int
    table: tuple[int, int, int, int]

    @property
    def decided(self) -> int:
        """Pairs that both decided."""
        return sum(self.table)

    @property
    def agreement(self) -> float | None:
        """The share of pairs on which both say the same."""
        return (self.table[0] + self.table[3]) / self.decided if self.decided else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is not defined, or says nothing because hardly a pair was decided."""
        return cohen_kappa(self.table) if self.decided >= _FEWEST else None

    def interval(self, seed: int = 0, draws: int = 2000) -> tuple[float, float] | None:
        """The 95 % interval of kappa, by resampling pairs."""
        if self.decided < _FEWEST:
            return None
        samples = np.random.default_rng(seed).multinomial(self.decided, np.array(self.table) / self.decided, draws)
        values = [value for one in samples if (value := cohen_kappa(tuple(map(int, one)))) is not None]
        if len(values) < draws / 2:
            return None
        low, high = np.percentile(values, [2.5, 97.5])
        return float(low), float(high)


def cohen_kappa(table: Sequence[int]) -> float | None:
    """Cohen's kappa of a table (both, only the first, only the second, neither); None where it is not defined."""
    both, first, second, neither = table
    total = sum(table)
    if not total:
        return None
    observed = (both + neither) / total
    chance = ((both + first) * (both + second) + (neither + first) * (neither + second)) / total**2
    return None if chance == 1 else (observed - chance) / (1 - chance)


def agreement_rows(answers: Sequence[dict[str, object]], executed: dict[int, str]) -> list[AgreementRow]:
    """The agreement under each criterion.

    Args:
        answers: for each pair and criterion how many people say clone and how many say not.
        executed: what execution says of each pair that it decided.
    """
    tables: dict[str, list[int]] = {}
    judged: dict[str, int] = {}
    for row in answers:
        clones, others = int(str(row["clones"])), int(str(row["others"]))
        if clones == others:
            continue
        criterion, value = str(row["criterion"]), executed.get(int(str(row["pair"])))
        judged[criterion] = judged.get(criterion, 0) + 1
        table = tables.setdefault(criterion, [0, 0, 0, 0])
        if value is not None:
            table[(0 if clones > others else 2) + (0 if value == "clone" else 1)] += 1
    return [
        AgreementRow(name, judged[name], (table[0], table[1], table[2], table[3]))
        for name, table in sorted(tables.items())
    ]


def main() -> None:
    """Judge the pairs that people judged, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmarks", nargs="+", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--jobs", type=int)
    options = parser.parse_args()
    print("| benchmark | asked | judged | executed and decided | agreement | kappa (95 %) |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in options.benchmarks:
        report = judge_by_execution(
            path, where=_JUDGED, limit=options.limit, runs=options.runs, seconds=options.seconds, jobs=options.jobs
        )
        executed = {
            one.selected.pair: str(value)
            for one in report.pairs
            if (value := one.evidence.value()) != "undecided" and not one.evidence.has_equal_texts
        }
        chosen = {one.selected.pair for one in report.pairs}
        answers = [row for row in Benchmark.open(path).sql(_ANSWERS).to_pylist() if row["pair"] in chosen]
        for row in agreement_rows(answers, executed):
            interval = row.interval()
            shown = "–" if row.kappa is None else f"{row.kappa:.2f}"
            shown += "" if interval is None else f" ({interval[0]:.2f} to {interval[1]:.2f})"
            share = "–" if row.agreement is None else f"{row.agreement:.1%}"
            print(f"| {report.card.name} | {row.criterion} | {row.judged} | {row.decided} | {share} | {shown} |")
    print(f"\nMachine: {machine()}")


if __name__ == "__main__":
    main()
