"""Oreo (Saini et al., ESEC/FSE 2018)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="oreo",
    description="Methods with similar metrics and calls, by a learned model (Type-1 to Type-3 and beyond).",
    homepage="https://github.com/Mondego/oreo-artifact",
    licence="GPL-3.0",
    programs=("oreo",),
    install=(
        "It has no command of its own: put a script `oreo` on the search path that takes a folder, runs its metric "
        "calculator, its controller and its predictor, and prints BigCloneEval's rows."
    ),
    steps=(("{program}", "{source}"),),
    report_format="bigcloneeval",
    languages={"java": "java"},
)
