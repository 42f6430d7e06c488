"""PMD CPD, version 7."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="pmd",
    description="Equal runs of tokens (Type-1 blocks; Type-2 when asked for, in Java).",
    homepage="https://pmd.github.io",
    licence="BSD-4-Clause",
    programs=("pmd",),
    install="Unpack PMD 7 and put its bin folder on the search path; it needs Java.",
    steps=(
        (
            *("{program}", "cpd", "--minimum-tokens", "{min_tokens}", "--language", "{language}"),
            *("--dir", "{source}", "--format", "xml", "{arguments}"),
        ),
    ),
    report_format="pmd",
    languages={
        "java": "java",
        "c": "cpp",
        "cpp": "cpp",
        "csharp": "cs",
        "python": "python",
        "javascript": "ecmascript",
        "typescript": "typescript",
        "tsx": "typescript",
        "go": "go",
    },
    exit_codes=frozenset({0, 4}),  # 4: it found duplications
    partial_codes=frozenset({5}),  # a file could not be split into tokens
    parameters={"renaming": {"none": (), "blind": ("--ignore-identifiers", "--ignore-literals")}},
)
