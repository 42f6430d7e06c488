"""A whole study over real pairs that nobody has judged yet: from the sample to a printed estimate, by commands, with
two judges and an adjudicator at a browser and a language model behind a server, and no file touched by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from clonetruth.store.study import read_study
from clonetruth.store.votes import open_vote_store
from tests.cli.running import Ran, run
from tests.e2e.conftest import Browser
from tests.e2e.judging_session import LAPTOP, JudgingSession
from tests.judges.chat_server import DIFFERENT, SIMILAR, answer, serving
from tests.studies.web.servers import ServerProcess
from tests.studies.web.visitors import ServedStudy

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAIRS = 6


def ok(*arguments: object) -> Ran:
    """A command that must succeed."""
    ran = run(*arguments)
    assert ran.code == 0, ran.err
    return ran


@dataclass
class ServedWholeStudy:
    """A study that is served, and a browser in front of it.

    Attributes:
        marks: for each pair, a line of its code that no other pair has.
    """

    benchmark: Path
    study: Path
    session: JudgingSession
    marks: list[str]

    def sign_in(self, name: str, role: str = "judge") -> None:
        """Follow the link that the command prints."""
        invited = ok("study", "invite", self.study, name, "--role", role, "--base-url", self.session.address, "--json")
        self.session.browser.visit(invited.json["link"])
        self.session.sign_in()

    @property
    def shown(self) -> int:
        """The pair on the page, known by its code alone."""
        code = self.session.browser.run("return document.getElementById('view').textContent")
        (number,) = (number for number, mark in enumerate(self.marks) if mark in code)
        return number


@pytest.fixture
def whole_study(browser: Browser, shared_data: Path, tmp_path: Path) -> Iterator[ServedWholeStudy]:
    real, benchmark, study = shared_data / "bcb406", tmp_path / "benchmark", tmp_path / "study"
    ok("import", "bcb406", real / "unlabelled_pairs.csv", real / "snippets.zip", "-o", benchmark)
    ok("study", "sample", benchmark, "-o", study, "--n", PAIRS, "--protocol", "same-main-purpose", "--seed", 1)
    browser.set_screen(*LAPTOP)
    server = ServerProcess(study)
    try:
        with open_vote_store(study) as vote_store:
            yield ServedWholeStudy(
                benchmark, study, JudgingSession(browser, ServedStudy(study, vote_store), server.address), marks(study)
            )
    finally:
        server.interrupt()
        browser.driver.delete_all_cookies()


def marks(study: Path) -> list[str]:
    """For each pair a line that no other pair has."""
    sides = read_study(study).subjects.select(["left_text", "right_text"]).to_pylist()
    texts = ["\n".join(pair.values()) for pair in sides]
    found = []
    for number, text in enumerate(texts):
        others = "\n".join(texts[:number] + texts[number + 1 :])
        found.append(next(line for line in map(str.strip, text.split("\n")) if len(line) > 20 and line not in others))
    return found


def judge_all(whole_study: ServedWholeStudy, name: str, says: Callable[[int], bool]) -> None:
    """Come in and judge by keyboard until nothing waits."""
    whole_study.sign_in(name)
    while whole_study.session.item:
        whole_study.session.judge("c" if says(whole_study.shown) else "x")


def decide(whole_study: ServedWholeStudy, name: str) -> int:
    """Come in as an adjudicator and call the only open pair no clone; which pair that was."""
    whole_study.sign_in(name, "adjudicator")
    pair = whole_study.shown
    whole_study.session.pause()
    whole_study.session.press("r", "They share one step only.", Keys.ESCAPE)
    whole_study.session.judge("x")
    assert not whole_study.session.item
    return pair


def test_a_study_from_the_sample_to_the_estimate(whole_study: ServedWholeStudy) -> None:
    study = whole_study.study
    judge_all(whole_study, "Ada", lambda pair: pair == 0)
    judge_all(whole_study, "Bob", lambda pair: pair in (0, 1))
    assert decide(whole_study, "Cleo") == 1

    def says(prompt: str) -> str:
        return SIMILAR if any(whole_study.marks[pair] in prompt for pair in (0, 2)) else DIFFERENT

    with serving(lambda request, number: answer(says(request["messages"][-1]["content"]))) as model:
        asked = ok("study", "llm", study, "--model", "tiny", "--base-url", model.url, "--runs", 3, "--json").json
    assert asked["outcome"]["values"] == {"clone": 2, "not-clone": 4}

    people = ok("study", "agree", study, "--json").json["pairs"]
    assert (people["subjects"], people["differ"]) == (PAIRS, 1)
    model_and_people = ok("study", "agree", study, "--against", "final", "--json").json["pairs"]
    assert model_and_people["judges"] == [asked["outcome"]["judge"], "final"]
    assert model_and_people["table"] == [[1, 1], [0, 4]]

    verdicts = ok("study", "resolve", study, "--json").json["pairs"]
    assert verdicts["counts"] == {"clone": 1, "not-clone": 5, "unknown": 0}
    assert verdicts["open"] == []
    printed = ok("study", "estimate", study).out
    assert "83.3% [35.9% to 99.6%]" in printed
    assert "Population: the pairs of bcb406 2025 (135 pairs)" in printed

    # Two judges on six pairs, one decision, and the model on six.
    assert ok("study", "export", study, "--to", whole_study.benchmark, "--json").json["added"] == 2 * PAIRS + 1 + PAIRS
