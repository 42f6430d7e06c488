"""Deckard (Jiang et al., ICSE 2007)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

_CONFIGURATION = """\
FILE_PATTERN='*.{language}'
SRC_DIR='{source}'
DECKARD_DIR='{home}/../..'
MIN_TOKENS='{min_tokens}'
STRIDE='2'
SIMILARITY='{threshold}'
VECTOR_DIR='{work}/vectors'
CLUSTER_DIR='{work}/clusters'
TIME_DIR='{work}/times'
VGEN_EXEC="$DECKARD_DIR/src/main"
case $FILE_PATTERN in
  *.java ) VGEN_EXEC="$VGEN_EXEC/jvecgen" ;;
  *.c ) VGEN_EXEC="$VGEN_EXEC/cvecgen" ;;
esac
GROUPING_EXEC="$DECKARD_DIR/src/vgen/vgrouping/runvectorsort"
CLUSTER_EXEC="$DECKARD_DIR/src/lsh/bin/enumBuckets"
POSTPRO_EXEC="$DECKARD_DIR/scripts/clonedetect/post_process_groupfile"
SRC2HTM_EXEC=source-highlight
SRC2HTM_OPTS=--line-number-ref
MAX_PROCS=1
GROUPING_S='50'
"""

TOOL = ExternalTool(
    name="deckard",
    description="Trees with similar characteristic vectors (Type-1 to Type-3 blocks).",
    homepage="https://github.com/skyhover/Deckard",
    licence="BSD-3-Clause",
    programs=("deckard.sh",),
    install="Build Deckard and put its folder scripts/clonedetect on the search path.",
    steps=(("{program}",),),
    inputs={"config": _CONFIGURATION},
    report_format="deckard",
    report=("clusters/post_cluster_vdb_*",),
    languages={"java": "java", "c": "c"},
    default_threshold=0.95,
)
