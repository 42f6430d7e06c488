"""NiCad 6 and 7 (Cordy and Roy)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

_CONFIGURATION = """\
threshold={dissimilarity}
minsize={min_lines}
maxsize=20000
transform=none
rename={arguments}
filter=none
abstract=none
normalize=none
cluster=no
report=no
include=""
exclude=""
"""

TOOL = ExternalTool(
    name="nicad",
    description="Functions that share most of their pretty-printed lines, in order (Type-1 to Type-3).",
    homepage="https://www.txl.ca/txl-nicaddownload.html",
    licence="free to use; see its own",
    programs=("nicad6", "nicad7", "nicad"),
    install="Unpack NiCad, run make in its folder, and put that folder on the search path.",
    # NiCad reads configurations from its own folder only: it runs in a copy of that folder, which has one more.
    steps=(
        ("cp", "-R", "{home}/.", "{work}/nicad"),
        (
            *("sh", "-c", 'exec "./$(basename "$1")" functions "$2" "$3" clonetruth', "sh"),
            *("{program}", "{language}", "{source}"),
        ),
    ),
    folder="{work}/nicad",
    inputs={"nicad/config/clonetruth.cfg": _CONFIGURATION},
    report_format="nicad",
    report=("source_functions*-clones/*-clones-[01].*[0-9].xml",),
    languages={"java": "java", "c": "c", "csharp": "cs", "python": "py"},
    default_threshold=0.7,
    default_min_lines=10,
    full_score=100.0,
    parameters={"renaming": {"blind": ("blind",), "consistent": ("consistent",), "none": ("none",)}},
)
