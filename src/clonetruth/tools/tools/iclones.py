"""iClones (Göde and Koschke)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

TOOL = ExternalTool(
    name="iclones",
    description="Equal runs of tokens, names ignored, merged over gaps (Type-1 to Type-3 blocks).",
    homepage="http://www.softwareclones.org/iclones.php",
    licence="free for research; see its own",
    programs=("iclones", "iclones.sh"),
    install="Unpack iClones and put its folder on the search path; it needs Java.",
    steps=(
        (
            *("{program}", "-informat", "single", "-language", "{language}", "-minclone", "{min_tokens}"),
            *("-input", "{source}", "-outformat", "xml", "-output", "{report}"),
        ),
    ),
    report_format="iclones",
    languages={"java": "java", "c": "c++", "cpp": "c++"},
)
