"""Texts of Java before they are compiled: what they need, what is code in them, and what a tokenizer has broken."""

from __future__ import annotations

import re

from clonetruth.execution.harness.harness import Reason

_MASKED = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|\"\"\".*?\"\"\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_SPLIT = re.compile(
    r"(?<![<>=!+\-*/%&|^])([<>=!+\-*/%&|^]) +(=)(?!=)|(\+) (\+)|(-) (-)|(&) (&)|(\|) (\|)|"
    r"(-) (>)|(:) (:)|(<) (<)(?=[^>]*;)"
)
_NEEDS = (
    (
        Reason.FILE,
        r"\bnew\s+(?:File|FileReader|FileInputStream|FileWriter|FileOutputStream|RandomAccessFile|ZipFile)\b|"
        r"\bFiles\s*\.|\bPaths\s*\.|\bFile\s*\[?\]?\s+\w+\s*[,)]",
    ),
    (
        Reason.NETWORK,
        r"\b(?:ServerSocket|Socket|HttpURLConnection|URLConnection|DatagramSocket|InetAddress|HttpClient|URL)\b",
    ),
    (
        Reason.SCREEN,
        r"\b(?:J(?:Frame|Panel|Button|Label|TextField|Table|OptionPane|Component|TextArea|ComboBox|List|Menu\w*|Dialog)|"
        r"Graphics(?:2D)?|ActionEvent|MouseEvent|KeyEvent|BufferedImage|javax\.swing|java\.awt|javafx|Toast|Intent|Bundle)\b",
    ),
    (Reason.PROCESS, r"\bProcessBuilder\b|\bgetRuntime\s*\(\s*\)\s*\.\s*exec\b"),
    (
        Reason.CLOCK,
        r"\bSystem\s*\.\s*(?:currentTimeMillis|nanoTime)\b|\bnew\s+(?:java\.util\.)?Date\s*\(\s*\)|"
        r"\b(?:LocalDate|LocalTime|LocalDateTime|Instant|ZonedDateTime|Year|Clock)\s*\.\s*(?:now|system\w*)\b|"
        r"\bCalendar\s*\.\s*getInstance\b|\bnew\s+GregorianCalendar\s*\(\s*\)",
    ),
)

_SHAPES = re.compile(
    r"\bimport\s+java\.awt\s*\.\s*(?:geom\s*\.\s*[\w*]+|event\s*\.\s*\*|\*|Point|Rectangle|Polygon|Dimension)\s*;"
)
"""Imports of shapes, which need no screen, and of whole packages, which may be for a shape or for nothing."""
_READS = re.compile(r"\bSystem\s*\.\s*in\b")
_MAIN = re.compile(r"\bstatic\s+(?:\w+\s+)*void\s+main\s*\(")
_WRITES = re.compile(r"\bOutputStream\s+\w+\s*[,)]")
"""A stream to write to; a program with a main method writes to standard output through it."""


MEMBERS = re.compile(r"\.\s*(get(?:Declared)?(?:Fields|Methods|Constructors|Annotations))\s*\(")
"""Asks a class what it consists of."""


def needs_more(text: str, *, screen: bool = False) -> tuple[Reason, str] | None:
    """What cannot be observed by values: files, networks, programs, clocks; screens if asked for, because a fragment
    without imports may run with classes that stand for those of a screen."""
    plain = masked(text)
    if not _MAIN.search(plain) and (written := _WRITES.search(plain)):
        return Reason.FILE, re.sub(r"\s+", " ", written[0])
    if _MAIN.search(plain) and _READS.search(plain):
        # A program that reads its input from the console shows nothing else.
        plain = _SHAPES.sub("", plain)
    for reason, pattern in _NEEDS:
        if reason is Reason.SCREEN and not screen and not re.search(r"\bjavax\.swing|\bjava\.awt|\bjavafx", plain):
            continue
        found = re.search(pattern, plain)
        if found is not None:
            return reason, re.sub(r"\s+", " ", found[0])[:80]
    return None


def masked(text: str) -> str:
    """A text of the same length without comments and the contents of literals."""
    return _MASKED.sub(lambda one: re.sub(r"[^\n]", " ", one[0]), text)


def is_file(body: str) -> bool:
    """Whether classes are outermost, and no methods."""
    depth, outer = 0, []
    for letter in masked(body):
        if letter == "{" and depth == 0:
            outer.append("{")
        depth += (letter == "{") - (letter == "}")
        if depth <= 0 and letter != "}":
            outer.append(letter)
    plain = "".join(outer)
    has_method = re.search(r"\)\s*(?:throws\s+[\w.,\s]+)?\{", re.sub(r"\brecord\s+\w+\s*\([^)]*\)", "record R", plain))
    return re.search(r"\b(?:class|interface|enum|record)\s+\w+", plain) is not None and has_method is None


def joined(text: str) -> str:
    """Operators that a tokenizer has split, such as `> =`."""
    return _SPLIT.sub(lambda found: "".join(one for one in found.groups() if one), text)


def balanced(text: str) -> str:
    """A text with the closing braces that it lacks, or without those that it has in excess at its end."""
    plain = masked(text)
    surplus = plain.count("{") - plain.count("}")
    if surplus > 0:
        return text + "\n" + "}" * min(surplus, 3)
    for _ in range(min(-surplus, 3)):
        end = masked(text).rstrip()
        if end.endswith("}"):
            text = text[: len(end) - 1]
    return text


def plain_quotes(text: str) -> str:
    """A text with the quotes and dashes that Java knows."""
    return text.translate(str.maketrans("“”‘’–", "\"\"''-"))
