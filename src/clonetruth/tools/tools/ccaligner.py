"""CCAligner (Wang et al., ICSE 2018)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

_ROWS = r"s#/([^/,]*),#,\1,#g"
"""From `folder/file,first,last,folder/file,first,last` to BigCloneEval's rows."""

TOOL = ExternalTool(
    name="ccaligner",
    description="Functions that share windows of lines with an edit in them (Type-3 with large gaps).",
    homepage="https://github.com/PCWcn/CCAligner",
    licence="none stated",
    programs=("ccaligner",),
    install="Build CCAligner, and name the program `detect` of its folder in CLONETRUTH_CCALIGNER.",
    # What its script `runner` does; the programs look for one another in the current folder.
    steps=(
        ("mkdir", "input", "token", "output"),
        ("ln", "-s", "{home}/txl", "{home}/lexical", "."),
        ("{home}/extract", "./txl", "{language}", "functions", "{source}", "./input", "1"),
        ("{home}/parser", "./input", "./", "{min_lines}"),
        ("{home}/tokenize", "./function.file", "./token", "./", "1"),
        ("{program}", "./token", "./output", "./function.file", "6", "1", "{threshold}"),
        ("find", "output", "-type", "f", "-exec", "sed", "-E", _ROWS, "{}", "+"),
    ),
    report_format="bigcloneeval",
    languages={"java": "java", "c": "c", "csharp": "cs"},
    default_threshold=0.6,
    default_min_lines=5,
)
