"""PDF files for the tests, made with fpdf2."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fpdf import FPDF

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
FILLER = "The evaluation follows the usual procedure and is described in the previous section of this paper."


def pdf(path: Path, pages: Sequence[Sequence[str]], *, head: str = "", password: str | None = None) -> Path:
    """A PDF file: pages of lines, perhaps with a running head and a page number."""
    made = FPDF(format="A4")
    made.set_auto_page_break(False)
    for number, lines in enumerate(pages, 1):
        made.add_page()
        made.set_font("Helvetica", size=10)
        if head:
            made.text(20, 10, f"{head} {number}")
            made.text(100, 290, str(number))
        for row, line in enumerate(lines):
            made.text(20, 20 + 6 * row, line)
    if password is not None:
        made.set_encryption(owner_password="owner", user_password=password)
    made.output(str(path))
    return path


def two_columns(path: Path, left: Sequence[str], right: Sequence[str]) -> Path:
    """A PDF file with two columns that is written line by line across both."""
    made = FPDF(format="A4")
    made.add_page()
    made.set_font("Helvetica", size=9)
    for row, (one, other) in enumerate(zip(left, right, strict=True)):
        made.text(15, 20 + 5 * row, one)
        made.text(112, 20 + 5 * row, other)
    made.output(str(path))
    return path


def scanned(path: Path, pages: int = 2) -> Path:
    """A PDF file without text: only a drawing on each page."""
    made = FPDF(format="A4")
    for _ in range(pages):
        made.add_page()
        made.rect(20, 20, 100, 150)
    made.output(str(path))
    return path


def ligatures(path: Path, lines: Sequence[str]) -> Path | None:
    """A PDF file whose text has ligatures as single characters; None without the font."""
    if not Path(FONT).exists():
        return None
    made = FPDF(format="A4")
    made.add_font("dejavu", fname=FONT)
    made.add_page()
    made.set_font("dejavu", size=10)
    for row, line in enumerate(lines):
        made.text(20, 20 + 6 * row, line.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ"))
    made.output(str(path))
    return path


def set_paper(path: Path, columns: Sequence[Sequence[str]], *, is_wide: bool = False, head: str = "Clones") -> Path:
    """A PDF file as publishers set them: columns in pairs, or one wide column on each page. A head stands at the outer
    edge, a page number in the middle, and between columns a footnote, a notice, and a figure with its caption."""
    made = FPDF(format="A4")
    made.set_auto_page_break(False)
    for at, lines in enumerate(columns):
        is_left = is_wide or at % 2 == 0
        left, page = 15 if is_left else 110, made.page + is_left
        if is_left:
            made.add_page()
            made.set_font("Helvetica", size=9)
            made.text(15 if page % 2 else 150, 10, f"{head} {page}" if page % 2 else f"{page} A. Author et al.")
            made.text(104, 292, str(page))
        made.set_font("Helvetica", size=9)
        top = 20
        if not is_left and at % 4 == 1:
            for row, text in enumerate(("Encoder", "Similarity", f"Figure {at}. The pipeline has three stages.")):
                made.text(left + 10, 20 + 5 * row, text)
            top = 45
        for row, text in enumerate(lines):
            made.text(left, top + 5 * row, text)
        made.set_font("Helvetica", size=7)
        end = top + 5 * len(lines) + 4
        if is_left:
            made.text(left, end, f"1 The replication package {at} is available without restriction.")
            made.text(left, end + 4, "978-1-1234-5678-9/24 (C) 2024 IEEE")
    made.output(str(path))
    return path


def pieces(path: Path, lines: Sequence[str]) -> Path:
    """A PDF file with one column whose lines are drawn in pieces, as programs do that change fonts for ligatures."""
    made = FPDF(format="A4")
    made.add_page()
    made.set_font("Helvetica", size=9)
    for row, line in enumerate(lines):
        left = 15.0
        for piece in line.split("d"):
            made.text(left, 20 + 5 * row, f"{piece}d")
            left += made.get_string_width(f"{piece}d")
    made.output(str(path))
    return path


def manuscript(path: Path, columns: Sequence[Sequence[str]]) -> Path:
    """A PDF file with two columns as reviewers get it: each line with a number, a stamp up the margin, a table whose
    caption is set in small capitals, and a wide figure. The right column of the last page has few lines."""
    made = FPDF(format="A4")
    made.set_auto_page_break(False)
    number = 0
    for at, lines in enumerate(columns):
        left = 110 if at % 2 else 25
        if not at % 2:
            made.add_page()
            made.set_font("Helvetica", size=14)
            with made.rotation(90, 8, 200):
                made.text(8, 200, "arXiv:2505.04311v1 [cs.SE] 7 May 2025")
        made.set_font("Helvetica", size=9)
        top = 20
        if at == 2:
            made.text(90, 20, "encoder decoder")
            made.text(
                60, 25, "Fig. 1. The pipeline has three stages and two outputs, which are compared with each other."
            )
            x = 40.0
            for size, piece in ((7, "R"), (5.5, "ESULTS NUMBER"), (7, " 10")):
                made.set_font("Helvetica", size=size)
                made.text(x, 40, piece)
                x += made.get_string_width(piece)
            made.text(40, 35, "Table 1.")
            made.text(40, 45, "Tool A 0.9")
        if at in (2, 3):
            top = 55
        for row, text in enumerate(lines):
            number += 1
            made.set_font("Helvetica", size=9)
            made.text(left, top + 5 * row, text)
            made.set_font("Helvetica", size=5)
            made.text(left - 8 if left < 100 else 200, top + 5 * row, str(number))
    made.output(str(path))
    return path
