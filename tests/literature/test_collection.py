"""`literature collect`: exports in three formats, duplicates by DOI and title, and the flow of a published study."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import clonetruth
from clonetruth.cli import cli
from clonetruth.errors import InputError
from clonetruth.literature import PaperRecord, merge_records, read_export

BIBTEX = r"""
@comment{nothing}
@string{ieee = "IEEE"}
@inproceedings{key1,
  title = {{BigCloneBench} Considered Harmful for {Machine Learning}},
  author = "Krinke, Jens and Ragkhitwetsagul, Chaiyong",
  booktitle = ieee # { Workshop on Software Clones},
  year = 2022,
  doi = {10.1109/IWSC55060.2022.00008},
}
@article(key2, title = "M{\"a}der and {\'E}tudes \& more", year = {2023}, journal={J. Cl\o nes})
"""
RIS = """TY  - CONF
TI  - BigCloneBench considered harmful
  for machine learning
AU  - Krinke, J.
AU  - Ragkhitwetsagul, C.
PY  - 2022/10//
DO  - https://doi.org/10.1109/iwsc55060.2022.00008
ER  -

TY  - JOUR
T1  - Another paper on clones
Y1  - 2021
ER  -
"""
IEEE = """"Document Title","Authors","Publication Title","Publication Year","DOI"
"Another Paper on Clones","A. Bee","J","2021",""
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_bibtex(tmp_path: Path) -> None:
    one, two = read_export(written(tmp_path, "acm.bib", BIBTEX))
    assert one.title == "BigCloneBench Considered Harmful for Machine Learning"
    assert (one.doi, one.year, one.library) == ("10.1109/iwsc55060.2022.00008", 2022, "acm")
    assert (two.title, two.venue) == ("Mäder and Études & more", "J. Clønes")


def test_ris_and_csv(tmp_path: Path) -> None:
    one, two = read_export(written(tmp_path, "wos.ris", RIS))
    assert (one.title, one.year) == ("BigCloneBench considered harmful for machine learning", 2022)
    assert one.authors == "Krinke, J. and Ragkhitwetsagul, C."
    assert (two.title, two.doi) == ("Another paper on clones", "")
    (three,) = read_export(written(tmp_path, "ieee.csv", IEEE))
    assert three.title_key == two.title_key


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.bib", "@article{x, title = {never closed", "not closed"),
        ("a.bib", "% nothing", "no records"),
        ("a.bib", "@article{x, year = 2020}", "no title"),
        ("a.ris", "TY  - JOUR\nTI  - X\n", "does not end"),
        ("a.txt", "FN Web of Science\nPT J\nTI X\n", "does not end"),
        ("a.txt", "PT J\nTI X\nPT J\nER\n", "does not end"),
        ("a.txt", "What somebody noted.\n", "no records"),
        ("a.enw", "%0 Journal Article\n%A Smith\n", "no title"),
        ("a.csv", "Title,DOI\n,10.1000/x\n", "no title"),
        ("a.csv", "Name,DOI\nX,10.1000/x\n", "No column holds titles"),
        ("a.xyz", "x", "not an export"),
    ],
)
def test_bad_exports_are_refused_with_their_place(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_export(written(tmp_path, name, text)))


TITLE = "Finding & fixing clones: a naïve study"
SAME_PAPER = {
    "scopus.csv": '\ufeff"Authors","Title","Year","Source title","DOI","Source","EID"\r\n'
    f'"Smith J.","{TITLE}","2024","Proc. ICSE","10.1145/ABC.123","Scopus","2-s2.0-1"\r\n',
    "wos.tsv": f"PT\tAU\tTI\tSO\tPY\tDI\r\nJ\tSmith, J\t{TITLE}\tTSE\t2024\t10.1145/abc.123\r\n",
    "wos.csv": "Authors,Article Title,Source Title,Publication Year,DOI\n"
    "S,Finding &amp; fixing <i>clones</i>: a naïve study,TSE,2024,10.1145/abc.123\n",
    "semicolons.csv": f"Title;Year;DOI\n{TITLE};2024;doi:10.1145/abc.123.\n",
    "openalex.csv": f"id,doi,display_name,publication_year\nW1,https://doi.org/10.1145/ABC.123,{TITLE},2024\n",
    "perish.csv": f"Authors,Title,Year,Source,ArticleURL\nS,{TITLE},2024,ICSE,https://doi.org/10.1145%2Fabc.123\n",
    "acm.bib": r"""@inproceedings{a, title = {Finding \& {fixing {clones}}: a na{\"\i}ve study}, year = {2024},
  abstract = {A title = {other}, year = 1999}, url = {https://doi.org/10.1145/abc.123}}""",
    "dblp.bib": r"""@string{icse = {ICSE}}
@inproceedings{DBLP:a, title = {Finding {\&} fixing clones: a na{\"{\i}}ve study}, booktitle = icse, year = 2024,
  crossref = {DBLP:conf}, doi = {10.1145/ABC.123}}
@proceedings{DBLP:conf, title = {Proceedings of ICSE}, year = 2024}""",
    "springer.ris": f"\ufeffTY  - CONF\r\nTI  - {TITLE}\r\nPY  - 2024\r\nDO  - 10.1145/abc.123\r\nER  - \r\n",
    "savedrecs.txt": "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Smith, J\n   Lee, A\n"
    "TI Finding & fixing clones:\n   a naïve study\nSO TSE\nPY 2024\nDI 10.1145/ABC.123\nER\n\nEF\n",
    "tabs.txt": f"PT\tAU\tTI\tSO\tPY\tDI\r\nJ\tSmith, J\t{TITLE}\tTSE\t2024\t10.1145/abc.123\r\n",
    "acm.enw": f"%0 Conference Paper\n%T {TITLE}\n%@ 9781450392211\n%A Smith, J.\n%A Lee, A.\n%B Proc. ICSE\n%D 2024\n"
    "%R 10.1145/ABC.123\n%U https://doi.org/10.1145/ABC.123\n",
    "spacing.ris": f"TY  -JOUR\nTI  -{TITLE}\nPY  -2024/05/01\nUR  -https://dx.doi.org/10.1145/ABC.123\nER  -\n",
}


@pytest.mark.parametrize("name", SAME_PAPER)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_exports_of_many_libraries_give_the_same_paper(tmp_path: Path, name: str, encoding: str) -> None:
    """Header variants, byte order marks, line ends, LaTeX, HTML, and DOIs as addresses or in another case."""
    path = tmp_path / name
    path.write_bytes(SAME_PAPER[name].removeprefix("\ufeff").encode(encoding))
    if encoding == "utf-8":
        path.write_bytes(SAME_PAPER[name].encode())
    (found,) = read_export(path)
    assert (found.title, found.doi, found.year) == (TITLE, "10.1145/abc.123", 2024)


def test_authors_on_lines_of_their_own(tmp_path: Path) -> None:
    for name in ("savedrecs.txt", "acm.enw"):
        (found,) = read_export(written(tmp_path, name, SAME_PAPER[name]))
        assert found.authors.replace(".", "") == "Smith, J and Lee, A"


def test_latex_names_macros_and_preprints(tmp_path: Path) -> None:
    text = r"""@string{icse = "ICSE"}
@misc{a, author = {Erd\H{o}s, P. and \v{S}tef\'an, {\L}. and \k{A}b\c c and {\AA}ngstr{\"o}m}, title = {One},
  eprint = {2401.01234}, booktitle = icse # { 2024}}"""
    (found,) = read_export(written(tmp_path, "a.bib", text))
    assert found.authors == "Erdős, P. and Štefán, Ł. and Ąbç and Ångström"
    assert (found.venue, found.doi, found.year) == ("ICSE 2024", "arxiv:2401.01234", None)


def test_a_column_source_is_a_library_or_a_venue(tmp_path: Path) -> None:
    (one,) = read_export(written(tmp_path, "a.csv", "Title,Source\nX,Scopus\n"))
    (two,) = read_export(written(tmp_path, "b.csv", "Title,Source\nX,IEEE Access\n"))
    assert (one.library, one.venue, two.library, two.venue) == ("Scopus", "", "b", "IEEE Access")


def record(title: str, doi: str = "", year: int | None = None) -> PaperRecord:
    return PaperRecord(title, "x", f"{title} {doi} {year}", doi, year)


def test_duplicates_by_doi_and_title() -> None:
    papers, alike = merge_records(
        [
            record("A study", "10.1000/a", 2020),
            record("Other title, same DOI", "10.1000/a", 2020),
            record("A Study!", "", 2020),
            record("A study", "arxiv:2001.00001", 2019),
            record("A study", "10.1000/extended", 2023),
            record("B"),
        ]
    )
    assert [len(one.records) for one in papers] == [4, 1, 1]
    assert papers[0].record.doi == "10.1000/a"
    assert len(alike) == 1, "a journal version under the same title is another paper, and is reported"


def test_an_ampersand_is_the_word_and_languages_stay_apart() -> None:
    papers, alike = merge_records(
        [
            record("Trees & Graphs", year=2023),
            record("Trees and graphs", year=2024),
            record("Clones in C", year=2023),
            record("Clones in C++", year=2023),
            record("Clones in C#", year=2023),
        ]
    )
    assert [len(one.records) for one in papers] == [2, 1, 1, 1]
    assert not alike


def test_a_doi_and_a_title_that_lead_to_two_groups_join_them() -> None:
    papers, _ = merge_records([record("A", "10.1000/a"), record("B"), record("B", "10.1000/a"), record("A")])
    assert [len(one.records) for one in papers] == [4]


def test_a_paper_that_is_added_by_hand_is_known_by_its_doi_too(tmp_path: Path) -> None:
    export = written(tmp_path, "a.csv", "Title,DOI\nA study,10.1000/a\n")
    added = written(tmp_path, "b.csv", "Title,DOI\nA study (extended title),10.1000/A\nNew,\nNew!,\n")
    found = clonetruth.collect_papers(export, added=added)
    assert (found.flow["added by hand"], found.flow["included"]) == (1, 2)


def test_the_flow_of_a_published_study(tmp_path: Path) -> None:
    """547 hits of five libraries, 226 duplicates, 16 screened out, 2 added, 19 surveys, 109 without use: 179."""
    sizes = {"ieee": 157, "acm": 96, "scopus": 229, "wos": 60, "wiley": 5}
    unique = 547 - 226
    numbers = [number % unique for number in range(547)]
    exports, start = [], 0
    for name, size in sizes.items():
        rows = "".join(f"Paper {n},10.1000/{n},2024\n" for n in numbers[start : start + size])
        exports.append(written(tmp_path, f"{name}.csv", f"Title,DOI,Year\n{rows}"))
        start += size
    added = written(tmp_path, "added.csv", "Title,DOI,Year\nPaper x,10.2000/x,2024\nPaper y,,2024\n")
    reasons = (
        ["retracted"] * 2
        + ["not-english"] * 4
        + ["inaccessible"] * 3
        + ["irrelevant"] * 5
        + ["own-work", "original-paper"]
        + ["survey"] * 19
        + ["does-not-use-it"] * 109
    )
    decided = "".join(f"10.1000/{number},{reason}\n" for number, reason in enumerate(reasons))
    decisions = written(tmp_path, "decisions.csv", f"doi,decision\n{decided}10.9000/nobody,survey\n")
    found = clonetruth.collect_papers(exports, added=added, decisions=decisions, output=tmp_path / "out")
    flow = found.flow
    assert (flow["hits"], flow["duplicates"], flow["screened"], flow["assessed"]) == (547, 226, 305, 307)
    assert (flow["excluded: survey"], flow["excluded: does-not-use-it"], flow["included"]) == (19, 109, 179)
    assert len(found.unused) == 1
    with (tmp_path / "out" / "papers.csv").open(encoding="utf-8", newline="") as file:
        rows_written = list(csv.DictReader(file))
    assert len(rows_written) == unique + 2
    again = clonetruth.collect_papers(exports, added=added, decisions=tmp_path / "out" / "papers.csv")
    assert again.flow == flow, "the edited list is a file of decisions"


def test_a_reason_outside_the_list_is_refused(tmp_path: Path) -> None:
    export = written(tmp_path, "a.csv", "Title\nX\n")
    decisions = written(tmp_path, "d.csv", "title,decision\nX,boring\n")
    with pytest.raises(InputError, match="'boring' is not a reason"):
        clonetruth.collect_papers(export, decisions=decisions)
    with pytest.raises(InputError, match="neither a DOI nor a title"):
        clonetruth.collect_papers(export, decisions=written(tmp_path, "e.csv", "title,decision\n,survey\n"))


def test_the_command(tmp_path: Path) -> None:
    paths = [str(written(tmp_path, "acm.bib", BIBTEX)), str(written(tmp_path, "wos.ris", RIS))]
    shown = CliRunner().invoke(cli, ["literature", "collect", *paths])
    assert shown.exit_code == 0
    assert "duplicates" in shown.output
    found = json.loads(CliRunner().invoke(cli, ["literature", "collect", *paths, "--json"]).output)
    assert found["flow"]["included"] == 3


def test_the_published_list_of_papers(shared_data: Path) -> None:
    found = clonetruth.collect_papers(shared_data / "bcb406" / "Papers.csv.gz")
    assert found.flow["hits"] == 179
    assert found.flow["included"] == 179 - found.flow["duplicates"]
    assert {one.library for paper in found.papers for one in paper.records} >= {"ACM", "IEEE"}
