"""Simian (Simon Harris)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="simian",
    description="Equal runs of lines (Type-1 blocks; Type-2 when asked for).",
    homepage="https://simian.quandarypeak.com",
    licence="commercial; free for non-commercial use",
    programs=("simian",),
    install="Name simian.jar in CLONETRUTH_SIMIAN; it needs Java.",
    steps=(
        (
            *("{program}", "-threshold={min_lines}", "-language={language}", "-failOnDuplication-"),
            *("-formatter=xml:{report}", "{arguments}", "-includes={source}/*"),
        ),
    ),
    report_format="simian",
    languages={
        "java": "java",
        "c": "c",
        "cpp": "cpp",
        "csharp": "cs",
        "javascript": "js",
    },
    default_min_lines=6,
    parameters={
        "renaming": {"none": (), "blind": ("-ignoreIdentifiers+", "-ignoreLiterals+", "-ignoreVariableNames+")}
    },
)
