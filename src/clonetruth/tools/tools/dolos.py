"""Dolos, version 2 (Maertens et al.)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="dolos",
    description="Files that share fingerprints of their syntax.",
    homepage="https://dolos.ugent.be",
    licence="MIT",
    programs=("dolos",),
    install="Install it: npm install -g @dodona/dolos.",
    steps=(
        (
            *("{program}", "run", "--output-format", "csv", "--output-destination", "{report}"),
            *("--language", "{language}", "--min-similarity", "{threshold}", "{files}"),
        ),
    ),
    report_format="dolos",
    languages={
        "java": "java",
        "c": "c",
        "cpp": "cpp",
        "csharp": "c-sharp",
        "python": "python",
        "javascript": "javascript",
        "typescript": "typescript",
        "tsx": "tsx",
        "go": "go",
    },
    default_threshold=0.7,
    lists_all_pairs=True,
)
