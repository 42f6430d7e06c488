"""The system-injected variant: the pairs of the benchmark, inserted into a copy of a source tree."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from clonetruth.build import inject_clones
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.store import open_benchmark


@dataclass(frozen=True)
class InjectStageOptions:
    """The keys of the stage; see `clonetruth build inject`.

    Attributes:
        system: a folder of source code.
        seed: random seed.
    """

    system: str
    seed: int = 0


def _run(work: StageWork) -> StageOutcome:
    path = work.making / "injected"
    # Left by a maker that was killed between this folder and the report of its stage.
    shutil.rmtree(path, ignore_errors=True)
    report = inject_clones(
        work.path(work.options.system), fragments=work.artefact("benchmark"), output=path, seed=work.options.seed
    )
    # The folder is a benchmark of its own, next to the first one; the artefact says that it is there.
    (work.output / "injected").write_text(f"{path.name}\n", encoding="utf-8")
    return StageOutcome(
        taken={"pairs": open_benchmark(work.artefact("benchmark")).counts["pairs"]},
        given={name: report.counts[name] for name in ("pairs", "fragments")},
        notes=report.warnings,
    )


STAGE = Stage(
    name="inject",
    description="Insert the pairs into a copy of a source tree.",
    options=InjectStageOptions,
    run=_run,
    reads=("benchmark",),
    writes=("injected",),
)
