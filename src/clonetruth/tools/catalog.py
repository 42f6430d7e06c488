"""The declared external tools, in alphabetical order: how each is installed and called, and how its report is read.

A declaration follows the tool's documentation; the registry has a line for each.
"""

from __future__ import annotations

from clonetruth.tools.tool import ExternalTool

# CCAligner: Wang et al., “CCAligner: A Token Based Large-Gap Clone Detector”, ICSE 2018.

_ROWS = r"s#/([^/,]*),#,\1,#g"
"""Converts `folder/file,first,last,folder/file,first,last` to BigCloneEval's rows."""

CCALIGNER = ExternalTool(
    name="ccaligner",
    description="Functions that share windows of lines, each with up to one edit (Type-3 with large gaps).",
    homepage="https://github.com/PCWcn/CCAligner",
    licence="none stated",
    programs=("ccaligner",),
    install="Build CCAligner, and set CLONETRUTH_CCALIGNER to the path of the program `detect` in its folder.",
    # The steps of its script `runner`; the programs look for each other in the current folder.
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


# Deckard: Jiang et al., “DECKARD: Scalable and Accurate Tree-Based Detection of Code Clones”, ICSE 2007.

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
    install="Build Deckard and put its folder scripts/clonedetect on the PATH.",
    steps=(("{program}",),),
    inputs={"config": _DECKARD_CONFIGURATION},
    report_format="deckard",
    report=("clusters/post_cluster_vdb_*",),
    languages={"java": "java", "c": "c"},
    default_threshold=0.95,
)


# Dolos: Maertens et al., “Dolos: Language-agnostic plagiarism detection in source code”, JCAL 2022.

DOLOS = ExternalTool(
    name="dolos",
    description="Files that share fingerprints of their syntax trees.",
    homepage="https://dolos.ugent.be",
    licence="MIT",
    programs=("dolos",),
    install="Run: npm install -g @dodona/dolos.",
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


# iClones: Göde and Koschke, “Incremental Clone Detection”, CSMR 2009.

ICLONES = ExternalTool(
    name="iclones",
    description="Equal runs of tokens, names ignored, merged over gaps (Type-1 to Type-3 blocks).",
    homepage="http://www.softwareclones.org/iclones.php",
    licence="free for research; see its own licence",
    programs=("iclones", "iclones.sh"),
    install="Unpack iClones and put its folder on the PATH; it needs Java.",
    steps=(
        (
            *("{program}", "-informat", "single", "-language", "{language}", "-minclone", "{min_tokens}"),
            *("-input", "{source}", "-outformat", "xml", "-output", "{report}"),
        ),
    ),
    report_format="iclones",
    languages={"java": "java", "c": "c++", "cpp": "c++"},
)


# JPlag: Prechelt, Malpohl and Philippsen, “Finding Plagiarisms among a Set of Programs with JPlag”, J.UCS 2002.

JPLAG = ExternalTool(
    name="jplag",
    description="Files covered by equal runs of tokens, names ignored.",
    homepage="https://github.com/jplag/JPlag",
    licence="GPL-3.0",
    programs=("jplag",),
    install="Set CLONETRUTH_JPLAG to the path of its .jar file; it needs Java 21.",
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


# jscpd: no paper.

JSCPD = ExternalTool(
    name="jscpd",
    description="Equal runs of tokens in any of 224 languages (Type-1 blocks; optionally Type-2 and near misses).",
    homepage="https://jscpd.dev",
    licence="MIT",
    programs=("jscpd",),
    install="Run: npm install -g jscpd@5.",
    steps=(
        (
            "{program}",
            *("--min-tokens", "{min_tokens}", "--min-lines", "{min_lines}"),
            # Its default limit of 1 MB would silently skip larger files.
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


# NiCad: Roy and Cordy, “NICAD: Accurate Detection of Near-Miss Intentional Clones …”, ICPC 2008.

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
    licence="free to use; see its own licence",
    programs=("nicad6", "nicad7", "nicad"),
    install="Unpack NiCad, run make in its folder, and put that folder on the PATH.",
    # NiCad reads configurations only from its own folder: run it in a copy of that folder with one more configuration.
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


# Oreo: Saini et al., “Oreo: Detection of Clones in the Twilight Zone”, ESEC/FSE 2018.

OREO = ExternalTool(
    name="oreo",
    description="Methods with similar metrics and calls, by a learned model (Type-1 to Type-3 and beyond).",
    homepage="https://github.com/Mondego/oreo-artifact",
    licence="GPL-3.0",
    programs=("oreo",),
    install=(
        "It has no single command: put a script `oreo` on the PATH that takes a folder, runs the metric calculator, "
        "the controller and the predictor, and prints rows in BigCloneEval's format."
    ),
    steps=(("{program}", "{source}"),),
    report_format="bigcloneeval",
    languages={"java": "java"},
)


# PMD's copy-paste detector (CPD): no paper.

PMD = ExternalTool(
    name="pmd",
    description="Equal runs of tokens (Type-1 blocks; optionally Type-2 in Java).",
    homepage="https://pmd.github.io",
    licence="BSD-4-Clause",
    programs=("pmd",),
    install="Unpack PMD 7 and put its bin folder on the PATH; it needs Java.",
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
    exit_codes=frozenset({0, 4}),  # 4: duplications found
    partial_codes=frozenset({5}),  # 5: a file could not be tokenized
    parameters={"renaming": {"none": (), "blind": ("--ignore-identifiers", "--ignore-literals")}},
)


# Simian, the Similarity Analyser: no paper.

SIMIAN = ExternalTool(
    name="simian",
    description="Equal runs of lines (Type-1 blocks; optionally Type-2).",
    homepage="https://simian.quandarypeak.com",
    licence="commercial; free for non-commercial use",
    programs=("simian",),
    install="Set CLONETRUTH_SIMIAN to the path of simian.jar; it needs Java.",
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


# SourcererCC: Sajnani et al., “SourcererCC: Scaling Code Clone Detection to Big-Code”, ICSE 2016.

SOURCERERCC = ExternalTool(
    name="sourcerercc",
    description="Functions whose bags of tokens overlap (Type-1 to Type-3); our `tokens` finds the same pairs.",
    homepage="https://github.com/Mondego/SourcererCC",
    licence="GPL-3.0",
    programs=("sourcerercc",),
    install=(
        "It has no single command: put a script `sourcerercc` on the PATH that takes a folder, a similarity (0 to 1) "
        "and the minimum number of tokens, runs the tokenizer and the controller, and prints rows in BigCloneEval's "
        "format."
    ),
    steps=(("{program}", "{source}", "{threshold}", "{min_tokens}"),),
    report_format="bigcloneeval",
    default_threshold=0.7,
)
