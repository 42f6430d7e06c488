"""Protocols by name and from files."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import CRITERIA
from clonetruth.store.study_protocol import JudgeGroup, Settlement, TrainingItem, check_protocol
from clonetruth.store.study_tables import CHECKS
from clonetruth.studies import choose_protocol, estimate_study, protocol_names
from clonetruth.studies.protocols import with_training_items
from tests.studies.example_studies import labelled_benchmark, sample_study
from tests.studies.web.sample import write_sample
from tests.studies.web.visitors import serve_study


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_is_valid(name: str) -> None:
    chosen = choose_protocol(name)
    assert chosen.protocol.name == name
    assert chosen.protocol.definition.strip()
    check_protocol(chosen.protocol, chosen.criterion)
    assert set(chosen.protocol.answers) <= set(CRITERIA[chosen.criterion].values)


def test_the_groups_of_gptclonebench() -> None:
    protocol = choose_protocol("gptclonebench").protocol
    assert [group.name for group in protocol.groups] == ["one", "two", "three"]
    assert (protocol.overlap, protocol.panel) == (2, "panel")


def test_a_protocol_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        """
        name = "mine"
        criterion = "same-goals"
        question = "The same goals?"
        answers = ["agree", "disagree"]
        overlap = 3
        panel = "elders"
        groups = [{ name = "a", share = 0.25 }, { name = "b", share = 0.75 }]
        """,
        encoding="utf-8",
    )
    chosen = choose_protocol(str(file))
    assert (chosen.criterion, chosen.protocol.answers) == ("same-goals", ("agree", "disagree"))
    assert chosen.protocol.groups == (JudgeGroup("a", 0.25), JudgeGroup("b", 0.75))


HEAD = 'name = "x"\nquestion = "?"\ncriterion = '
FUNCTIONS = f'{HEAD}"implements-functionality"\nanswers = ["major", "wrong"]\n'


def item(**changes: str) -> str:
    """A training item in TOML."""
    entries = {"language": "java", "left": "a;", "right": "b;", "expected": "clone", "feedback": "So it is.", **changes}
    return "\n".join(["[[training_items]]", *(f'{name} = "{value}"' for name, value in entries.items())])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "Not a valid TOML file"),
        ('name = "x"', "has no 'criterion'"),
        (f'{HEAD}"beauty"', "`criterion`: there is no criterion 'beauty'"),
        (f'{HEAD}"implements-functionality"', "`answers`: invalid answers: clone"),
        (f'{HEAD}"textual"\nanswers = ["clone"]', "at least two"),
        (f'{HEAD}"textual"\ncolour = "red"', "unknown entry 'colour'"),
        (f'{HEAD}"textual"\noverlap = "two"', "protocol.overlap"),
        (f'{HEAD}"textual"\ngroups = [{{ name = "a", share = 0.5 }}]', "`groups`: the shares do not add up to 1"),
        (f'{HEAD}"textual"\noverlap = 0', "`overlap`: at least one judge"),
        (f'{HEAD}"textual"\nquorum = 0', "`quorum`: at least one person"),
        (f'{HEAD}"textual"\nquorum = 3', "`quorum`: one adjudicator decides alone"),
        (f'{HEAD}"textual"\ndifferent = []', "`different`: it must end with"),
        (f'{HEAD}"textual"\ndifferent = ["next-group"]', "`different`: it must end with"),
        (f'{HEAD}"textual"\nundecided = ["panel", "exclude"]', "`undecided`: it must end with"),
        (f'{HEAD}"textual"\nundecided = ["panel"]', "`undecided`: there is no panel"),
        (f'{HEAD}"textual"\ndifferent = ["dice"]', r"protocol.different\[0\] is 'dice'"),
        (f'{HEAD}"textual"\nclone_labels = ["best"]', "`clone_labels`: 'best' is not one of major"),
        (f'{HEAD}"textual"\n[definitions]\nmaybe = "x"', "`definitions`: 'maybe' is not one of"),
        (f'{HEAD}"textual"\n[definitions]\nclone = 3', "`definitions`: the entry of 'clone' is not a text"),
        (f'{HEAD}"textual"\n[answer_names]\nclone = ""', "`answer_names`: the entry of 'clone' is not a text"),
        (f'{HEAD}"textual"\n{item(expected="perhaps")}', r"`training_items\[0\]`: 'perhaps' is not one of clone"),
        (f'{HEAD}"textual"\n{item(right="")}', r"`training_items\[0\]`: `left` or `right` is empty"),
        (f'{HEAD}"textual"\n{item(feedback=" ")}', r"`training_items\[0\]`: `feedback` is empty"),
        (f'{HEAD}"textual"\n{item(left_label="best")}', r"`training_items\[0\]`: 'best' is not one of major"),
        (f'{HEAD}"textual"\n{item(colour="red")}', r"unknown entry 'colour'"),
        (f'{HEAD}"textual"\nsitting = true\nrepeats = 2', "`repeats`: a sitting asks about the methods first"),
        (f"{FUNCTIONS}sitting = true", "`sitting`: a study of single functions has no pairs"),
        (f"{FUNCTIONS}attention = 2", "`attention`: known pairs do not fit single functions"),
        (
            f'{HEAD}"implements-functionality"\nanswers = ["minor", "wrong"]',
            "`positive_labels`: 'major' is not one of minor, wrong",
        ),
        (
            f"{FUNCTIONS}{item(expected='major')}",
            r"`training_items\[0\]`: `left` must hold the function, and `right` n",
        ),
    ],
)
def test_invalid_protocol_files(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        choose_protocol(str(file))


def test_the_steps_of_krinke() -> None:
    """Section V and appendix A of the paper: five labels, two answers, question 1 first, two judges who discuss."""
    protocol = choose_protocol("krinke").protocol
    assert protocol.sitting
    assert protocol.method_answers == ("major", "incomplete", "minor", "wrong", "test")
    assert protocol.answers == ("clone", "not-clone")
    assert set(protocol.definitions) == {*protocol.method_answers, *protocol.answers}
    assert len(protocol.exclusions) == 3
    assert protocol.clone_labels == ("major",)
    assert (protocol.overlap, protocol.quorum) == (2, 2)
    assert protocol.different == protocol.undecided == (Settlement.DISCUSSION,)


def test_the_steps_of_gptclonebench() -> None:
    """III-C2 of the paper: differing pairs are left out; undecided ones go to another group, then to a panel."""
    protocol = choose_protocol("gptclonebench").protocol
    assert protocol.different == (Settlement.EXCLUDE,)
    assert protocol.undecided == (Settlement.NEXT_GROUP, Settlement.PANEL)
    assert (protocol.quorum, protocol.answers) == (3, ("clone", "not-clone", "undecided"))
    assert [one.expected for one in protocol.training_items] == ["clone", "not-clone"]


def test_the_protocols_are_in_our_own_words(shared_data: Path) -> None:
    papers = shared_data.parent / "papers"
    if not papers.is_dir():
        pytest.skip("the papers (../shared/papers) are not next to the project")

    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(words[at : at + 6]) for at in range(len(words) - 5)}

    published = set().union(*(runs(paper.read_text(encoding="utf-8")) for paper in papers.glob("*.txt")))
    assert published
    for name in ("krinke", "gptclonebench", "bigclonebench"):
        protocol = choose_protocol(name).protocol
        for text in (protocol.instructions, protocol.question, protocol.method_question):
            assert not runs(text) & published


def test_another_wording_is_another_protocol(tmp_path: Path) -> None:
    """The result records which wording was used: the published one can come from the user's own copy."""
    text = (files("clonetruth.studies") / "protocol_files" / "krinke.toml").read_text(encoding="utf-8")
    mine = tmp_path / "published.toml"
    asked = "What part does the functionality play in this method?"
    mine.write_text(text.replace(asked, "The published words?"), encoding="utf-8")
    ours, theirs = choose_protocol("krinke").protocol, choose_protocol(mine).protocol
    assert (ours.name, theirs.method_question) == (theirs.name, "The published words?")
    assert ours.label.startswith("krinke (")
    assert ours.label != theirs.label
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", str(mine), where="functionality = 'copy'", size=3)
    assert study.plan.protocol == theirs
    assert estimate_study(study).protocol == theirs.label


def test_a_sitting_needs_the_functionality_of_every_pair(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    with pytest.raises(InputError, match="4 of 60 drawn pairs have no functionality"):
        sample_study(benchmark, tmp_path / "study", "krinke", size=60)
    assert not (tmp_path / "study").exists()
    study = sample_study(benchmark, tmp_path / "study", "krinke", where="functionality IS NOT NULL", size=56)
    assert study.methods.num_rows == 17
    sides = study.subjects.select(["left_id", "right_id"]).to_pylist()
    fragments = study.methods["fragment_id"].to_pylist()
    for pair, (left, right) in study.methods_of_pairs.items():
        assert (fragments[left], fragments[right]) == (sides[pair]["left_id"], sides[pair]["right_id"])
    assert len(study.methods_of_pairs) == 56


def test_the_training_items_of_a_protocol_come_first(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", "gptclonebench", size=3)
    assert study.checks["kind"].to_pylist() == ["training", "training"]
    assert study.checks["expected"].to_pylist() == ["clone", "not-clone"]
    with serve_study(study.path) as served:
        ada = served.invite("Ada", group="one")
        page = ada.enter()
        assert "Training 1 of 2" in page.words
        page = ada.answer(page, "not-clone")
        assert "You answered False clone ; the known answer is True clone" in page.words
        assert "a loop and a stream give equal results" in page.words
        page = ada.answer(ada.open("/judge"), "not-clone")
        assert "As expected" in page.words
        page = ada.open("/judge")
        assert "Training" not in page.words


def test_training_in_a_sitting_asks_all_three_questions(tmp_path: Path) -> None:
    known = TrainingItem("java", "int a;", "clone", "Both declare.", "int b;", "major", "minor", "Declare", "Declares.")
    protocol = replace(choose_protocol("krinke").protocol, training_items=(known,))
    checks = with_training_items(CHECKS.empty_table(), protocol)
    write_sample(tmp_path / "study", protocol, pairs=1, checks=checks)
    with serve_study(tmp_path / "study") as served:
        ada = served.invite("Ada")
        page = ada.enter()
        for answer in ("major", "major", "clone"):
            assert "Training 1 of 1" in page.words
            page = ada.answer(page, answer)
        assert page.path.startswith("/judge/feedback")
        assert page.words.count("the known answer is Major") == 1
        assert page.words.count("the known answer is Minor") == 1
        assert "Pair: you answered Clone ; the known answer is Clone" in page.words
        assert "Not as expected" in page.words


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="krinke"):
        choose_protocol("krinkle")


def test_a_binary_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        choose_protocol(str(file))
