"""The funnel of a generation as tables: ``python -m bench.generated_funnel MAKING [--server SECONDS]``.

MAKING is the folder of a making whose stage `generated` is done. `--server` is what the model's server has used, in CPU
seconds, which the maker cannot know (fields 14 and 15 of `/proc/PID/stat`, in hundredths of a second).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bench.measurement import machine
from clonetruth.make import MakeReport, StageReport, show_make
from clonetruth.make.prompt_funnel import TITLE


def _report(made: MakeReport, name: str) -> StageReport:
    found = made.stage(name).report
    if found is None:
        raise SystemExit(f"The stage '{name}' of {made.folder} is not done.")
    return found


def _counts(counts: Any) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "–"


def _stages(made: MakeReport) -> None:
    print("| step | in | out | left out |\n| --- | --- | --- | --- |")
    for one in made.stages:
        if one.report is not None:
            found = one.report
            print(f"| `{one.name}` | {_counts(found.taken)} | {_counts(found.given)} | {_counts(found.left_out)} |")


def _nested(rows: Any) -> None:
    heads = list(dict.fromkeys(name for row in rows.values() for name in row))
    print(f"|  | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
    for name, row in rows.items():
        print(f"| {name} | {' | '.join('–' if row.get(head) is None else str(row[head]) for head in heads)} |")


def _totals(made: MakeReport, server: float | None) -> None:
    rows = _report(made, "generated").details[TITLE].values()
    pairs, accepted = (sum(row[name] for row in rows) for name in ("pairs", "accepted"))
    decided = sum(row["no difference"] + row["different"] for row in rows)
    claimed = _report(made, "generated").details["claimed clones that the evidence decides"]
    maker = sum(one.report.cpu_seconds for one in made.stages if one.report is not None)
    print(f"{pairs:,} pairs, {decided:,} decided, {accepted:,} accepted as clones or hard negatives.")
    print(
        f"Claimed clones: {claimed['confirmed']} confirmed, {claimed['refuted']} refuted ({claimed['share refuted']})."
    )
    print(f"Maker: {maker:.1f} CPU seconds without the sandbox.")
    if server is not None and accepted:
        print(f"Server: {server:.0f} CPU seconds; with the maker {(server + maker) / accepted:.1f} an accepted pair.")


def main() -> None:
    """Print the tables, with the date and the machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("making", type=Path)
    parser.add_argument("--server", type=float, help="CPU seconds of the model's server")
    given = parser.parse_args()
    made = show_make(given.making)
    print(machine(), end="\n\n")
    _stages(made)
    for stage, name in (
        ("generated", TITLE),
        ("similarity", "mean similarity in per cent"),
        ("parse", "answers"),
        ("parse", "expected and obtained"),
    ):
        print(f"\n{stage}: {name}\n")
        _nested(_report(made, stage).details[name])
    print("\nwhy pairs are undecided\n")
    for reason, count in _report(made, "execution").details["why pairs are undecided"].items():
        print(f"- {reason}: {count}")
    print()
    _totals(made, given.server)


if __name__ == "__main__":
    main()
