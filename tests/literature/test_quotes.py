"""Quotes are found in PDF files whatever typesetting did to them; altered and invented ones are not."""

from __future__ import annotations

import contextlib
import re
import textwrap
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.literature import PaperText, QuoteChecker, QuoteState, read_paper
from tests.conftest import SHARED
from tests.literature.pdf_files import FILLER, ligatures, manuscript, pdf, pieces, scanned, set_paper, two_columns

CLAIM = "Our detector reaches a recall of 88.3 % on BigCloneBench, which is not statistically significant."
PAPERS = sorted((SHARED / "papers").glob("*.txt"))


def state(paper: PaperText, quote: str) -> QuoteState:
    return QuoteChecker(paper).check(quote).state


def test_hyphenation_and_line_breaks_do_not_matter(tmp_path: Path) -> None:
    lines = [FILLER] * 4 + [
        "Our detector reaches a recall of 88.3 % on Big-",
        "CloneBench, which is not statis-",
        "tically significant.",
    ]
    paper = read_paper(pdf(tmp_path / "a.pdf", [lines]))
    assert state(paper, CLAIM) is QuoteState.FOUND


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"Line {number} of the left column is here." for number in range(30)]
    left[28:30] = ["Our detector reaches a recall of 88.3 %", "on BigCloneBench, which is not statis-"]
    right = [f"Line {number} of the right column." for number in range(30)]
    right[0] = "tically significant."
    paper = read_paper(two_columns(tmp_path / "a.pdf", left, right))
    assert state(paper, CLAIM) is QuoteState.FOUND


def test_ligatures_are_letters(tmp_path: Path) -> None:
    path = ligatures(tmp_path / "a.pdf", [FILLER, FILLER, "An efficient classifier finds five flaws in the file."])
    if path is None:
        pytest.skip("needs the font DejaVu Sans")
    paper = read_paper(path)
    assert "ﬁ" in paper.pages[0] or "fi" in paper.pages[0]
    assert state(paper, "An efficient classifier finds five flaws in the file.") is QuoteState.FOUND


def test_a_quote_spans_pages_with_running_heads(tmp_path: Path) -> None:
    pages = [[FILLER] * 6 for _ in range(4)]
    pages[1].append("Our detector reaches a recall of 88.3 % on Big-")
    pages[2].insert(0, "CloneBench, which is not statistically significant.")
    paper = read_paper(pdf(tmp_path / "a.pdf", pages, head="A. Author et al.: Clones"))
    found = QuoteChecker(paper).check(CLAIM, page=1)
    assert (found.state, found.pages, found.wrong_page) == (QuoteState.FOUND, (2, 3), True)
    assert not QuoteChecker(paper).check(CLAIM, page=3).wrong_page


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("88.3", "98.3"), QuoteState.ALTERED),
        (("is not statistically", "is statistically"), QuoteState.ALTERED),
        (("BigCloneBench", "GPTCloneBench"), QuoteState.ALTERED),
        (("88.3 %", "883 %"), QuoteState.ALTERED),
        (("recall", "recall [12]"), QuoteState.FOUND),
        (("a recall of 88.3 % on", "… on"), QuoteState.FOUND),
        (("Our detector", "“Our Detector"), QuoteState.FOUND),
        (("is not statistically", "is … statistically"), QuoteState.ALTERED),
        (("recall of 88.3 %", "recall of -88.3 %"), QuoteState.ALTERED),
        (("recall of 88.3 %", "recall of 8/8.3 %"), QuoteState.ALTERED),
    ],
)
def test_what_counts_as_altered(tmp_path: Path, change: tuple[str, str], expected: QuoteState) -> None:
    paper = read_paper(pdf(tmp_path / "a.pdf", [[FILLER, FILLER, FILLER, CLAIM]]))
    assert state(paper, CLAIM.replace(*change)) is expected
    found = QuoteChecker(paper).check(CLAIM.replace(*change))
    if expected is QuoteState.ALTERED:
        assert "recall of 88.3" in found.passage


def sentence(number: int) -> str:
    words = ("detector", "classifier", "benchmark", "representation", "threshold", "functionality", "experiment")
    first, second = words[number % 7], words[(number * 3 + 1) % 7]
    return f"The {first} of group {number} does not differ from the {second} in {number * 37 % 1000} of the cases."


@pytest.mark.parametrize("is_wide", [False, True])
def test_what_interrupts_the_text_of_a_set_page_does_not_interrupt_a_quote(tmp_path: Path, *, is_wide: bool) -> None:
    """Page numbers between columns, heads at outer edges, footnotes, notices, and figures with captions."""
    sentences = [sentence(number) for number in range(70)]
    lines = textwrap.wrap(" ".join(sentences), 95 if is_wide else 48)
    size = -(-len(lines) // (5 if is_wide else 8))
    columns = [lines[at : at + size] for at in range(0, len(lines), size)]
    paper = read_paper(set_paper(tmp_path / "a.pdf", columns, is_wide=is_wide))
    assert len(paper.pages) > 3
    checker = QuoteChecker(paper)
    assert [one for one in sentences if checker.check(one).state is not QuoteState.FOUND] == []
    assert checker.check(" ".join(sentences)).pages == (1, len(paper.pages))
    note = "The replication package 0 is available without restriction."
    assert (checker.check(note).state, checker.check(note).pages) == (QuoteState.FOUND, (1, 1))
    assert note in paper.marked()
    # What stands apart is not joined with the text.
    assert checker.check(f"{sentences[-1]} {note}").state is not QuoteState.FOUND


def test_quotes_are_found_in_a_manuscript_with_line_numbers(tmp_path: Path) -> None:
    """Line numbers, a stamp at the margin, a wide figure, small capitals, one line on the right of the last page."""
    sentences = [sentence(number) for number in range(60)]
    lines = textwrap.wrap(" ".join(sentences), 48)
    columns = [lines[at : at + 40] for at in range(0, len(lines), 40)]
    while len(columns) % 2 == 0:
        columns[-2:] = [columns[-2] + columns[-1]]
    columns[-1:] = [columns[-1][:-1], columns[-1][-1:]]
    paper = read_paper(manuscript(tmp_path / "a.pdf", columns))
    checker = QuoteChecker(paper)
    assert [one for one in sentences if checker.check(one).state is not QuoteState.FOUND] == []
    assert checker.check(" ".join(sentences)).pages == (1, len(paper.pages))
    for aside in ("arXiv:2505.04311v1 [cs.SE] 7 May 2025", "The pipeline has three stages and two outputs"):
        assert checker.check(aside).state is QuoteState.FOUND


def test_numbers_of_a_table_are_no_line_numbers(tmp_path: Path) -> None:
    rows = [f"{number * number}" for number in range(1, 20)]
    paper = read_paper(pdf(tmp_path / "a.pdf", [[FILLER] * 5 + rows]))
    assert all(row in paper.pages[0].split() for row in rows)


def test_a_line_in_many_pieces_is_not_two_columns(tmp_path: Path) -> None:
    draw = Random(5)
    words = ["a", "of", "the", "clone", "detector", "does", "not", "find", "functionality", "threshold", "in", "pairs"]
    text = " ".join(f"{draw.choice(words)} {number}" for number in range(420))
    checker = QuoteChecker(read_paper(pieces(tmp_path / "a.pdf", textwrap.wrap(text, 95))))
    assert checker.check(" ".join(f"{line}d" for line in textwrap.wrap(text, 95))).state is QuoteState.FOUND


PASSAGE = (
    "We compare two tools. The first tool does not find any clone in the interval [3, 7] of Table 2. It was trained on "
    "random pairs, which is usual. The second tool reaches a recall of 93 % on the same data. Its precision is low."
)


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        # An ellipsis leaves out a part of a sentence, or whole sentences.
        ("The second tool … on the same data. Its precision is low.", QuoteState.FOUND),
        ("We compare two tools. […] The second tool reaches a recall of 93 %", QuoteState.FOUND),
        # It does not join the beginning of one with the end of another, and does not hide a "not".
        ("The first tool … reaches a recall of 93 % on the same data.", QuoteState.ALTERED),
        ("It was trained on random pairs ... on the same data.", QuoteState.ALTERED),
        ("The first tool … any clone in the interval [3, 7] of Table 2.", QuoteState.ALTERED),
        ("We compare two tools. … find any clone in the interval", QuoteState.ALTERED),
        # A quote that begins behind a "not" says the opposite.
        ("find any clone in the interval [3, 7] of Table 2.", QuoteState.ALTERED),
        ("does not find any clone in the interval of Table 2.", QuoteState.FOUND),
        # Citation marks may be left out; other numbers in brackets are other numbers.
        ("does not find any clone in the interval [1, 9] of Table 2.", QuoteState.ALTERED),
        ("does not find any clone in the interval [3,7] of Table 2.", QuoteState.FOUND),
        ("Its precision is low. The second tool reaches a recall of 93 %", QuoteState.ALTERED),
    ],
)
def test_a_quote_keeps_the_meaning(quote: str, expected: QuoteState) -> None:
    found = QuoteChecker(PaperText(Path("x"), (PASSAGE,))).check(quote)
    assert found.state is expected
    if expected is QuoteState.ALTERED:
        assert found.passage


def test_signs_count_whatever_their_shape() -> None:
    paper = PaperText(Path("x"), ("The correlation of both scores is −0.65 on pages 12–15 of the paper.",))
    assert state(paper, "The correlation of both scores is -0.65 on pages 12-15") is QuoteState.FOUND
    assert state(paper, "The correlation of both scores is 0.65 on pages 12–15") is QuoteState.ALTERED


@pytest.mark.parametrize(
    ("printed", "same", "altered"),
    [
        ("2e-5", "2e−5", "2e5"),
        ("1E–4", "1e-4", "1E4"),
        ("10⁻⁵", "10-5", "105"),
        ("10^-5", "10^−5", "10^5"),
        ("10−5", "10-\n5", "105"),
        ("80-10-10", "80–10–10", "801010"),
        ("5 – 10", "5--10", "5 10"),
    ],
)
def test_a_dash_between_numbers_and_the_sign_of_an_exponent_count(printed: str, same: str, altered: str) -> None:
    sentence = "All models were trained with the value {} in every one of the runs."
    paper = PaperText(Path("x"), (sentence.format(printed),))
    assert state(paper, sentence.format(printed)) is QuoteState.FOUND
    assert state(paper, sentence.format(same)) is QuoteState.FOUND
    assert state(paper, sentence.format(altered)) is QuoteState.ALTERED


@pytest.mark.parametrize("printed", ["Krüger and Sánchez", "Kru\u0308ger and Sa\u0301nchez", "Kr¨uger and S´anchez"])
def test_accents_may_be_set_beside_their_letters(printed: str) -> None:
    paper = PaperText(Path("x"), (f"The benchmark of {printed} has a na\u00a8ıve baseline for every task.",))
    for quoted in ("Krüger and Sánchez", "Kruger and Sanchez"):
        assert state(paper, f"The benchmark of {quoted} has a naïve baseline for every task.") is QuoteState.FOUND


def test_inventions_short_and_empty_quotes_are_not_evidence(tmp_path: Path) -> None:
    paper = read_paper(pdf(tmp_path / "a.pdf", [[FILLER, FILLER, FILLER, "They judged 27 of the pairs by hand."]]))
    assert state(paper, "All labels of the benchmark were validated by five independent experts.") is QuoteState.UNFOUND
    assert state(paper, "by hand") is QuoteState.TOO_SHORT
    assert state(paper, "") is QuoteState.NONE
    # A number must not end inside another one.
    short = PaperText(Path("x"), ("The experts have judged about 27 of all these pairs.",))
    assert state(short, "The experts have judged about 2") is not QuoteState.FOUND


def test_scanned_files_have_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scanned"):
        read_paper(scanned(tmp_path / "a.pdf"))


def test_encrypted_files_are_refused_unless_the_password_is_empty(tmp_path: Path) -> None:
    lines = [[FILLER] * 5]
    with pytest.raises(InputError, match="encrypted"):
        read_paper(pdf(tmp_path / "a.pdf", lines, password="secret"))
    assert FILLER in read_paper(pdf(tmp_path / "b.pdf", lines, password="")).pages[0]


@pytest.mark.parametrize("content", [b"%PDF-1.7\nnothing", b"%PDF-1.4\n" + b"\x00" * 500, b""])
def test_damaged_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_paper(path)


def test_a_truncated_file_is_refused_or_read(tmp_path: Path) -> None:
    whole = pdf(tmp_path / "a.pdf", [[FILLER] * 5] * 2).read_bytes()
    for end in range(50, len(whole), len(whole) // 12):
        (tmp_path / "b.pdf").write_bytes(whole[:end])
        with contextlib.suppress(InputError):
            assert read_paper(tmp_path / "b.pdf").pages


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_texts_in_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    sentence = "Gödel's detector is naïve, and its recall is 88.3 % on this benchmark."
    (tmp_path / "a.txt").write_bytes("\r\n".join([FILLER] * 6 + [sentence]).encode(encoding))
    assert state(read_paper(tmp_path / "a.txt"), sentence) is QuoteState.FOUND


def test_the_language_is_recognised(tmp_path: Path) -> None:
    german = "Wir untersuchen, ob der Datensatz für das Lernen von Klonen geeignet ist, und finden viele Fehler darin."
    assert not read_paper(pdf(tmp_path / "a.pdf", [[german] * 5])).is_english
    assert read_paper(pdf(tmp_path / "b.pdf", [[FILLER] * 5])).is_english


def test_pages_without_text_are_listed_and_keep_their_numbers(tmp_path: Path) -> None:
    paper = read_paper(pdf(tmp_path / "a.pdf", [[FILLER] * 4, [], [CLAIM] * 3]))
    assert paper.empty == (2,)
    assert QuoteChecker(paper).check(CLAIM).pages == (3, 3)


@pytest.mark.skipif(not PAPERS, reason="needs the papers in ../shared/papers")
def test_planted_fabrications_are_found_in_the_papers() -> None:
    """Every tenth sentence is found; with a changed number or word, none is."""
    for path in PAPERS:
        paper = read_paper(path)
        checker = QuoteChecker(paper)
        text = " ".join(" ".join(paper.pages).split())
        sentences = re.findall(r"(?<=\. )[A-Z][^.!?]{60,200}\d[^.!?]{5,80}\.(?= )", text)[::10]
        assert len(sentences) >= 2, path.name
        for sentence in sentences:
            assert checker.check(sentence).state is QuoteState.FOUND
            digit = re.search(r"\d", re.sub(r"\[[^\]]*\]", lambda match: "x" * len(match[0]), sentence))
            words = sentence.split()
            planted = [" ".join([*words[:4], "never", *words[4:]])]
            if digit:
                at = digit.start()
                planted.append(f"{sentence[:at]}{(int(sentence[at]) + 3) % 10}{sentence[at + 1 :]}")
            assert all(checker.check(one).state is QuoteState.ALTERED for one in planted), sentence
            if " not " in sentence:
                before, after = sentence.split(" not ", 1)
                for one in (f"{before} … {after}", after):
                    assert checker.check(one).state in (QuoteState.ALTERED, QuoteState.TOO_SHORT), one
        joined = [f"{' '.join(one.split()[:7])} … {' '.join(other.split()[7:])}" for one, other in pairwise(sentences)]
        assert not [one for one in joined if checker.check(one).state is QuoteState.FOUND]


@settings(max_examples=20)
@given(st.text("abcdefgh 0123456789", min_size=60, max_size=200), st.data())
def test_every_whole_passage_is_found_however_it_is_broken(text: str, data: st.DataObject) -> None:
    words = text.split()
    if sum(map(len, words)) < 60:
        return
    cut = data.draw(st.integers(1, len(words))) if len(words) > 1 else 1
    pages = (" ".join(words[:cut]), "\n".join(words[cut:]))
    paper = PaperText(Path("x"), pages)
    assert QuoteChecker(paper).check(" ".join(words)).state is QuoteState.FOUND
