"""`literature check`: what a paper was measured on, and the known threats, without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clonetruth
from clonetruth.cli import cli
from clonetruth.errors import InputError
from clonetruth.literature import PaperText
from clonetruth.literature.mentions import DATASETS, check_paper
from clonetruth.sources import SOURCES
from tests.conftest import SHARED
from tests.literature.pdf_files import FILLER, pdf, scanned

PAPERS = sorted((SHARED / "papers").glob("*.txt"))
PAGES = [
    [FILLER, "We evaluate our approach on BigCloneBench with 50,000 pairs and on", "POJ-104. " + FILLER],
    ["The data is randomly split into training and test sets with a ratio of 8:1:1.", FILLER],
    ["The F1 of our model is 0.963 on all pairs. A threshold of 0.5 was used.", FILLER, FILLER],
    ["References", "[1] A. Author. GPTCloneBench is only cited here and nowhere else in the text.", FILLER],
]


def test_every_dataset_is_a_source() -> None:
    assert set(DATASETS) <= set(SOURCES)


def test_datasets_splits_metrics_and_thresholds_with_their_pages(tmp_path: Path) -> None:
    (found,) = clonetruth.check_papers(pdf(tmp_path / "paper.pdf", PAGES))
    assert {one.source for one in found.datasets} == {"bigclonebench", "codexglue-poj104"}
    assert any("379 of 406" in line for one in found.datasets for line in one.threats)
    assert found.topics is not None
    assert [one.page for one in found.topics["split"]] == [2]
    assert [one.page for one in found.topics["metric"]] == [3]
    assert [one.page for one in found.topics["threshold"]] == [3]
    assert any("clone types" in line for line in found.questions)


def test_what_typesetting_does_to_words_hides_nothing() -> None:
    """Ligatures, and words that the end of a line or of a page divides."""
    pages = (
        "We evaluate on pairs of Big-\nCloneBench and POJ-\n104 by \ufb01ve-fold validation, another clone detector by "
        "10-\nfold one. A third one is trained cross-\nproject on all of its clones. The clas-",
        "si\ufb01cation accuracy is 93.1 % on the WT3/Type-\n4 clones of the Semantic-",
        "CloneBench. It is low for all of them.",
    )
    found = check_paper(PaperText(Path("x"), pages))
    assert {one.source for one in found.datasets} == {"bigclonebench", "codexglue-poj104", "semanticclonebench"}
    assert found.topics is not None
    assert [one.text for one in found.topics["split"]] == [
        "We evaluate on pairs of Big-CloneBench and POJ-104 by five-fold validation, another clone detector by 10-fold "
        "one.",
        "A third one is trained crossproject on all of its clones.",
    ]
    assert [(one.page, one.text) for one in found.topics["metric"]] == [
        (1, "The classification accuracy is 93.1 % on the WT3/Type-4 clones of the Semantic-CloneBench.")
    ]


def test_one_unreadable_paper_of_several_hides_nothing(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", PAGES)
    scanned(tmp_path / "b.pdf")
    first, second = clonetruth.check_papers(tmp_path)
    assert first.datasets
    assert "scanned" in second.error
    with pytest.raises(InputError, match="scanned"):
        clonetruth.check_papers(tmp_path / "b.pdf")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no papers"):
        clonetruth.check_papers(tmp_path / "empty")


def test_the_command_prints_threats_and_json(tmp_path: Path) -> None:
    from click.testing import CliRunner

    path = str(pdf(tmp_path / "paper.pdf", PAGES))
    shown = CliRunner().invoke(cli, ["literature", "check", path])
    assert shown.exit_code == 0
    assert "Ask the authors" in shown.output
    assert "p. 2" in shown.output
    asked = CliRunner().invoke(cli, ["literature", "check", path, "--json"])
    assert json.loads(asked.output)[0]["datasets"][0]["mentions"] == 1


def test_another_language_is_noted(tmp_path: Path) -> None:
    german = "Wir untersuchen BigCloneBench und finden darin viele Paare, die nicht dasselbe tun wie behauptet wird."
    (found,) = clonetruth.check_papers(pdf(tmp_path / "paper.pdf", [[german] * 5]))
    assert any("English" in note for note in found.notes)
    assert found.datasets[0].source == "bigclonebench"


@pytest.mark.slow
@pytest.mark.skipif(not PAPERS, reason="needs the papers in ../shared/papers")
def test_the_five_papers() -> None:
    found = {one.path.stem: one for one in clonetruth.check_papers(PAPERS)}
    assert len(found) == 5
    expected = {
        "misuse-harmed-semantic-clone-detection": {"bigclonebench", "gptclonebench", "sesame", "codenet", "gcj"},
        "bigclonebench-considered-harmful": {"bigclonebench"},
        "multi-perspective-evaluation": {"bigclonebench", "conbigclonebench", "gcj2"},
        "codebert-generalizability": {"bigclonebench", "codexglue-bcb"},
        "gptclonebench": {"gptclonebench", "semanticclonebench", "clcdsa"},
    }
    for name, sources in expected.items():
        named = {one.source for one in found[name].datasets}
        assert sources <= named, name
        assert all(one.threats for one in found[name].datasets)
        topics = found[name].topics or {}
        assert topics["weak clones"] or name == "multi-perspective-evaluation"


@pytest.mark.parametrize(
    "text",
    [
        "Films of benzocyclobutene (BCB) have a threshold of 0.7 V, and an F1 hybrid reaches an accuracy of 0.93.",
        "Patients with OCD were compared with others; the recall of the questionnaire was 93 % at a threshold of 5.",
        "The SCB sets the tariffs, SeSaMe oil is dear, and the POJ is closed on Sundays: the accuracy was 0.93.",
    ],
)
def test_abbreviations_mean_datasets_only_in_papers_about_clones(text: str) -> None:
    found = check_paper(PaperText(Path("x"), (text * 3,)))
    assert (found.datasets, found.questions) == ((), ())
    assert "not seem to be about code clones" in found.notes[0]
    about = check_paper(PaperText(Path("x"), (f"We study the detection of code clones. {text}",)))
    assert about.datasets
    assert not about.notes


def test_a_year_is_not_the_number_of_a_dataset() -> None:
    def sources(name: str) -> list[str]:
        text = f"We find clones in programs of {name}, which many papers on clone detection have used before."
        return [one.source for one in check_paper(PaperText(Path("x"), (text,))).datasets]

    assert sources("Google Code Jam 2020") == ["gcj"]
    assert sources("Google Code Jam 2") == ["gcj2"]
    assert sources("GCJ2") == ["gcj2"]
