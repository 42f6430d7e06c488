"""SourcererCC (Sajnani et al., ICSE 2016)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="sourcerercc",
    description="Functions whose bags of tokens overlap (Type-1 to Type-3); our own `tokens` finds the same pairs.",
    homepage="https://github.com/Mondego/SourcererCC",
    licence="GPL-3.0",
    programs=("sourcerercc",),
    install=(
        "It has no command of its own: put a script `sourcerercc` on the search path that takes a folder, a similarity "
        "(0 to 1) and the least tokens, runs its tokenizer and its controller, and prints BigCloneEval's rows."
    ),
    steps=(("{program}", "{source}", "{threshold}", "{min_tokens}"),),
    report_format="bigcloneeval",
    default_threshold=0.7,
)
