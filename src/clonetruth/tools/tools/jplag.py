"""JPlag, version 5 and later."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="jplag",
    description="Files that are tiled by equal runs of tokens, names ignored.",
    homepage="https://github.com/jplag/JPlag",
    licence="GPL-3.0",
    programs=("jplag",),
    install="Name its .jar file in CLONETRUTH_JPLAG; it needs Java 21.",
    steps=(
        (
            *("{program}", "--mode", "RUN", "--language", "{language}", "--min-tokens", "{min_tokens}"),
            *("--result-file", "{report}", "--csv-export", "{source}"),
        ),
    ),
    report_format="jplag",
    report=("report/results.csv",),
    languages={
        "java": "java",
        "c": "c",
        "cpp": "cpp",
        "csharp": "csharp",
        "python": "python3",
        "javascript": "javascript",
        "typescript": "typescript",
        "go": "golang",
    },
    default_threshold=0.7,
    lists_all_pairs=True,
)
