"""A made-up clone report, with names that look like markup."""

from __future__ import annotations

from clonetruth.find import CloneClass, CloneMember, CloneReport, OmittedClones, UnreadFile

LEFT = "int sum(int[] values) {\n    int total = 0;\n    for (int v : values) total += v;\n    return total;\n}"
RIGHT = LEFT.replace("total", "s").replace("return", "log(s);\n    return")


def member(
    path: str,
    name: str | None,
    text: str,
    first_line: int = 10,
    similarity: float = 0.8,
    differences: str = "renamed 1 name, 1 statement inserted",
    strongest: str = "T3",
    new: bool = True,
) -> CloneMember:
    last_line = first_line + text.count("\n")
    return CloneMember(
        path,
        first_line,
        last_line,
        name,
        "java",
        30,
        "0" * 32,
        text,
        similarity=similarity,
        differences=differences,
        strongest=strongest,
        new=new,
    )


def clone_class(*members: CloneMember, strongest: str = "T3", weakest: str = "T3") -> CloneClass:
    return CloneClass("f" * 32, strongest, weakest, 0.8, ("tokens", "nearmiss"), members)


CLASSES = (
    clone_class(
        member("app/core/Sum.java", "Sum.sum", LEFT, similarity=1.0, differences=""),
        member("app/core/More.java", "More.<b>sum</b>", RIGHT, 90),
        member("app/web/Sum.java", None, RIGHT, new=False),
    ),
    clone_class(
        member("lib/<i>/Sum.java", "Sum.sum", LEFT, similarity=1.0, differences="", strongest="T1"),
        member("app/web/Twin.java", "Twin.sum", LEFT, similarity=1.0, differences="identical", strongest="T1"),
        strongest="T1",
        weakest="T1",
    ),
)

REPORT = CloneReport(
    classes=CLASSES,
    classes_found=2,
    classes_by_type={"T1": 1, "T3": 1},
    members=5,
    copied_lines=17,
    pairs={"tokens": 2, "nearmiss": 4},
    files=40,
    lines=1_000,
    functions=120,
    left_out=(OmittedClones("generated files", 3, ("app/gen/Parser.java",)),),
    skipped=(UnreadFile("app/odd.java", "This is a binary file, not source text."),),
    options={"with": ["tokens", "nearmiss"], "min_tokens": 50},
)
