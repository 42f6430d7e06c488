"""CCAligner (Wang et al., ICSE 2018)."""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

# SourcererCC (Sajnani et al., ICSE 2016).

SOURCERERCC = ExternalTool(
    name="sourcerercc",
    description="Functions whose bags of tokens overlap (Type-1 to Type-3); our own `tokens` finds the same pairs.",
    homepage="https://github.com/Mondego/SourcererCC",
    licence="GPL-3.0",
    programs=("sourcerercc",),
    install=(
        "It has no command of its own: put a script `sourcerercc` on the search path that takes a folder, a similarity "
        "(0 to 1) and the least tokens, runs its tokenizer and its controller, and prints BigCloneEval's rows."
    ),
    steps=(("{program}", "{source}", "{threshold}", "{min_tokens}"),),
    report_format="bigcloneeval",
    default_threshold=0.7,
)


SIMIAN = ExternalTool(
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


PMD = ExternalTool(
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


OREO = ExternalTool(
    name="oreo",
    description="Methods with similar metrics and calls, by a learned model (Type-1 to Type-3 and beyond).",
    homepage="https://github.com/Mondego/oreo-artifact",
    licence="GPL-3.0",
    programs=("oreo",),
    install=(
        "It has no command of its own: put a script `oreo` on the search path that takes a folder, runs its metric "
        "calculator, its controller and its predictor, and prints BigCloneEval's rows."
    ),
    steps=(("{program}", "{source}"),),
    report_format="bigcloneeval",
    languages={"java": "java"},
)


_NICAD_CONFIGURATION = """\
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

NICAD = ExternalTool(
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
    inputs={"nicad/config/clonetruth.cfg": _NICAD_CONFIGURATION},
    report_format="nicad",
    report=("source_functions*-clones/*-clones-[01].*[0-9].xml",),
    languages={"java": "java", "c": "c", "csharp": "cs", "python": "py"},
    default_threshold=0.7,
    default_min_lines=10,
    full_score=100.0,
    parameters={"renaming": {"blind": ("blind",), "consistent": ("consistent",), "none": ("none",)}},
)


JSCPD = ExternalTool(
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


JPLAG = ExternalTool(
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


ICLONES = ExternalTool(
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


DOLOS = ExternalTool(
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


_DECKARD_CONFIGURATION = """\
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

DECKARD = ExternalTool(
    name="deckard",
    description="Trees with similar characteristic vectors (Type-1 to Type-3 blocks).",
    homepage="https://github.com/skyhover/Deckard",
    licence="BSD-3-Clause",
    programs=("deckard.sh",),
    install="Build Deckard and put its folder scripts/clonedetect on the search path.",
    steps=(("{program}",),),
    inputs={"config": _DECKARD_CONFIGURATION},
    report_format="deckard",
    report=("clusters/post_cluster_vdb_*",),
    languages={"java": "java", "c": "c"},
    default_threshold=0.95,
)


_ROWS = r"s#/([^/,]*),#,\1,#g"
"""From `folder/file,first,last,folder/file,first,last` to BigCloneEval's rows."""

CCALIGNER = ExternalTool(
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
