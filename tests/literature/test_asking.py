"""Asking a model about papers: replies are read, quotes are looked up, what is invented never counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.literature import PaperText, QuoteState, find_paper_protocol, read_paper
from clonetruth.literature.answers import read_answers
from clonetruth.literature.protocol import PROTOCOLS
from clonetruth.store.study import read_study
from tests.judges.chat_server import ChatServer, Reply, answer, serving
from tests.literature.pdf_files import FILLER, pdf

TRUE = "We evaluate our detector on the second version of BigCloneBench with 43 functionalities."
TRAINED = "The network is trained with the true and false pairs of BigCloneBench."
INVENTED = "All labels of the dataset were validated by five experts of our institute."
SHORT = """
name = "short"
version = "1"
[[question]]
id = "C"
text = "Is it evaluated on BigCloneBench?"
words = ["Yes", "No"]
[[question]]
id = "J"
text = "Were labels checked?"
words = ["Yes", "No"]
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "test")


def reply(*rows: tuple[str, str, str, object]) -> str:
    answers = [{"question": q, "answer": a, "explanation": "so", "quote": t, "page": p} for q, a, t, p in rows]
    return "```json\n" + json.dumps({"title": "T", "datasets": ["BigCloneBench"], "answers": answers}) + "\n```"


def papers(folder: Path, count: int = 2) -> Path:
    folder.mkdir()
    for number in range(count):
        lines = [FILLER, f"Paper {number} is about clones. {FILLER}", TRUE, TRAINED]
        pdf(folder / f"paper{number}.pdf", [lines, [FILLER] * 4])
    return folder


def ask(server: ChatServer, folder: Path, output: Path, **options: Any) -> clonetruth.literature.PaperStudy:
    return clonetruth.ask_papers(
        folder, model="tiny", output=output, base_url=server.url, **{"protocol": "krinke-2022", **options}
    )


def four(server: dict[str, Any], number: int) -> Reply:
    second = "Paper 1 is" in server["messages"][-1]["content"]
    quote = TRAINED.replace("true and false", "true") if second else TRAINED
    return answer(reply(("1", "Yes", TRUE, 1), ("2", "yes.", quote, 1), ("3", "No", "", ""), ("4", "Yes", INVENTED, 2)))


def test_quotes_decide_what_counts_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    with serving(four) as server:
        found = ask(server, papers(tmp_path / "papers"), tmp_path / "out")
        assert len(server.requests) == 2
        again = ask(server, tmp_path / "papers", tmp_path / "out")
        assert len(server.requests) == 2
    assert found.words == again.words
    assert [found.words["paper0", one] for one in "1234"] == ["Yes", "Yes", "No", "?"]
    assert [found.words["paper1", one] for one in "1234"] == ["Yes", "?", "No", "?"]
    assert found.quotes == {"found": 3, "no quote": 2, "unfound": 2, "altered": 1}
    with (tmp_path / "out" / "table.csv").open(encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [["paper0", "Yes", "Yes", "No", "?"], ["paper1", "Yes", "?", "No", "?"]]
    with (tmp_path / "out" / "answers.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["state"], row["counted"]) for row in rows if row["question"] == "4"] == [("unfound", "no")] * 2
    replayed = clonetruth.ask_papers(
        tmp_path / "papers", model="tiny", output=tmp_path / "out", protocol="krinke-2022", replay=True
    )
    assert replayed.words == found.words
    assert replayed.missing == 0


def test_people_confirm_in_a_study_and_agreement_is_measured(tmp_path: Path) -> None:
    with serving(four) as server:
        found = ask(server, papers(tmp_path / "papers"), tmp_path / "out")
        assert found.study is not None
        assert found.agreement == ()
        study = read_study(found.study)
        counted = [one for one in found.answers if one.counted]
        assert study.subjects.num_rows == len(counted) == 5
        first = study.subjects.to_pylist()[0]
        assert "second version of BigCloneBench" in first["left_text"]
        assert "[page 1]" in first["left_text"]
        assert "Answer: Yes" in first["right_text"]
        questions = study.subjects["stratum"].to_pylist()
        votes = {number: "disagree" if question == "2" else "agree" for number, question in enumerate(questions)}
        study.add_answers("ann", votes, name="Ann")
        again = ask(server, tmp_path / "papers", tmp_path / "out")
    agreement = {one.question: one for one in again.agreement}
    assert (agreement["1"].confirmed, agreement["1"].share) == (2, 1.0)
    assert (agreement["2"].rejected, agreement["2"].share) == (1, 0.0)
    assert agreement["1"].low is not None


@pytest.mark.slow
def test_the_study_can_be_served(tmp_path: Path) -> None:
    from clonetruth.store.votes import ItemKey, ItemKind
    from clonetruth.studies.web.subject_views import SubjectViews
    from clonetruth.studies.web.subjects import SubjectQuestions

    with serving(four) as server:
        found = ask(server, papers(tmp_path / "papers", 1), tmp_path / "out")
    assert found.study is not None
    question = SubjectQuestions(read_study(found.study)).ask(ItemKey(ItemKind.PAIR, 0), swapped=False)
    shown = "".join(str(line) for _, _, lines in SubjectViews(question).fragments for line in lines)
    assert "second version of BigCloneBench" in shown
    assert question.answers == ("agree", "disagree", "conditionally")


def test_unreadable_replies_and_papers_are_counted_not_lost(tmp_path: Path) -> None:
    def broken(request: dict[str, Any], number: int) -> Reply:
        return answer("I cannot read PDF files.")

    folder = papers(tmp_path / "papers", 1)
    (folder / "scan.pdf").write_bytes(b"%PDF-1.4 broken")
    with serving(broken) as server:
        found = ask(server, folder, tmp_path / "out")
    assert found.unreadable == 1
    assert list(found.errors) == [str(folder / "scan.pdf")]
    assert set(found.words.values()) == {"?"}
    assert found.study is None


def test_the_budget_is_kept(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("[tiny]\ninput = 1000.0\noutput = 1000.0\n", encoding="utf-8")

    def long(request: dict[str, Any], number: int) -> Reply:
        return answer(reply(("1", "Yes", TRUE, 1)), tokens=2000)

    with serving(long) as server:
        folder = papers(tmp_path / "papers", 3)
        found = ask(server, folder, tmp_path / "out", prices=prices, budget=4, concurrency=1)
        assert len(server.requests) == 1
    assert found.missing == 3 - len(server.requests)
    assert found.cost is not None
    assert found.study is None, "people confirm when everything is answered"
    with pytest.raises(InputError, match="needs prices"):
        clonetruth.ask_papers(folder, model="tiny", output=tmp_path / "o", budget=1)


def test_another_protocol_needs_another_folder(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(SHORT, encoding="utf-8")

    def both(request: dict[str, Any], number: int) -> Reply:
        return answer(reply(("C", "Yes", TRUE, 1), ("J", "No", "", ""), ("1", "Yes", TRUE, 1)))

    with serving(both) as server:
        ask(server, papers(tmp_path / "papers", 1), tmp_path / "out")
        with pytest.raises(InputError, match="other answers"):
            ask(server, tmp_path / "papers", tmp_path / "out", protocol=str(path))


@pytest.mark.slow
def test_a_pilot_keeps_its_sample_and_compares_versions(tmp_path: Path) -> None:
    def varying(request: dict[str, Any], number: int) -> Reply:
        message = request["messages"][-1]["content"]
        checked = "Yes" if "Were labels checked by hand?" in message or number % 2 else "No"
        return answer(reply(("C", "Yes", TRUE, 1), ("J", checked, TRAINED, 1)))

    path = tmp_path / "short.toml"
    path.write_text(SHORT, encoding="utf-8")
    folder = papers(tmp_path / "papers", 5)
    with serving(varying) as server:
        words: dict[str, Any] = {"model": "tiny", "output": tmp_path / "pilot", "base_url": server.url, "n": 3}
        one = clonetruth.pilot_protocol(folder, protocol=str(path), concurrency=1, **words)
        assert len(server.requests) == 6
        path.write_text(SHORT.replace("checked?", "checked by hand?").replace('"1"', '"2"'), encoding="utf-8")
        two = clonetruth.pilot_protocol(folder, protocol=str(path), concurrency=1, **words)
    assert one.papers == two.papers
    assert len(one.papers) == 3
    first, second = two.versions
    assert first.label != second.label
    assert (first.by_question["C"], second.agreement) == (1.0, 1.0)
    assert first.agreement is not None
    assert first.agreement < 1
    assert (second.found, second.quotes) == (12, 12)
    assert two.differences
    assert {one.question for one in two.differences} == {"J"}
    (folder / f"{one.papers[0]}.pdf").write_bytes(pdf(tmp_path / "x.pdf", [[FILLER] * 5]).read_bytes())
    with pytest.raises(InputError, match="missing or was changed"):
        clonetruth.pilot_protocol(folder, protocol=str(path), model="tiny", output=tmp_path / "pilot", replay=True)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_the_protocols_ask_every_question_and_keep_the_paper_as_it_is(name: str) -> None:
    protocol = find_paper_protocol(name)
    message = protocol.message(PaperText(Path("x"), ("a {brace} here", "the second page")))
    assert "a {brace} here" in message
    assert "[page 2]\nthe second page" in message
    assert all(f"{one.id}: {one.text}" in message for one in protocol.questions)
    assert '{"title": …' in message


def test_appendix_b_has_twelve_questions_and_2022_four() -> None:
    assert [one.id for one in find_paper_protocol("krinke-literature").questions] == list("ABCDEFGHIJKL")
    assert len(find_paper_protocol("krinke-2022").questions) == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('words = ["Yes", "No"]', 'words = ["Yes"]'), "two or more words"),
        (('id = "J"', 'id = "C"'), "same id"),
        (('version = "1"', 'version = "1"\nprompt = "{questions}"'), "lacks {paper}"),
        (('version = "1"', 'version = "1"\nprompt = "{questions} {paper} {x}"'), "x"),
        (('version = "1"', 'version = "1"\ncolour = "red"'), "colour"),
        (('name = "short"', "name = "), "not valid"),
    ],
)
def test_a_wrong_protocol_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(SHORT, encoding="utf-8")
    assert len(find_paper_protocol(str(path)).questions) == 2
    path.write_text(SHORT.replace(*change), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        find_paper_protocol(str(path))
    with pytest.raises(UnknownNameError, match="krinke-2022"):
        find_paper_protocol("krinke-2023")


@pytest.mark.parametrize("text", ["", "no", "{", '{"answers": 3}', '{"answers": [3, null]}', "[" * 300 + "]" * 300])
def test_any_reply_is_read_without_an_error(tmp_path: Path, text: str) -> None:
    paper = read_paper(pdf(tmp_path / "a.pdf", [[FILLER] * 4]))
    found = read_answers(paper, find_paper_protocol("krinke-2022"), text, 1)
    assert not any(one.counted for one in found.answers)
    assert {one.quote.state for one in found.answers} == {QuoteState.NONE}
