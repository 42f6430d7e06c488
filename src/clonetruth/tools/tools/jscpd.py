"""jscpd (npm), version 5."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="jscpd",
    description="Equal runs of tokens in any of 224 languages (Type-1 blocks; Type-2 and near misses when asked for).",
    homepage="https://jscpd.dev",
    licence="MIT",
    programs=("jscpd",),
    install="Install it: npm install -g jscpd@5.",
    steps=(
        (
            "{program}",
            *("--min-tokens", "{min_tokens}", "--min-lines", "{min_lines}"),
            # Its own limit of 1 MB would leave larger files out without a word.
            *("--max-size", "1gb", "--no-gitignore", "--absolute"),
            *("--reporters", "json", "--output", "{report}", "--silent"),
            "{arguments}",
            "{source}",
        ),
    ),
    report_format="jscpd",
    report=("report/jscpd-report.json",),
    parameters={
        "mode": {"mild": (), "weak": ("--mode", "weak"), "strict": ("--mode", "strict")},
        "renaming": {"none": (), "blind": ("--ignore-identifiers", "--ignore-literals")},
        "gap": {lines: ("--max-gap-lines", lines) for lines in ("0", "1", "2", "3", "5", "10")},
    },
)
