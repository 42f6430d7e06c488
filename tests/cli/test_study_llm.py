"""`clonetruth study llm` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.judges.chat_server import DIFFERENT, SIMILAR, answer, refusal, serving
from tests.judges.logs import UNSURE, block, write_log
from tests.judges.studies import fragment, judgements, make_study

KEY = {"OPENAI_API_KEY": "sk-very-secret"}
PRICES = "[tiny]\ninput = 1000\noutput = 5000\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return make_study(tmp_path / "study")


def test_a_study_is_judged(study: Path) -> None:
    with serving(lambda request, number: answer(SIMILAR)) as server:
        ran = run("study", "llm", study, "--model", "tiny", "--base-url", server.url, "--rate", "6000/min", env=KEY)
    assert ran.code == 0, ran.err
    assert "canaries: 4 of 4 readable, 2 right, answers in text; 15 questions follow at an unknown cost." in ran.err
    words = " ".join(ran.out.split())
    assert "judgements added 3" in words
    assert "tokens paid now 2,000 + 400" in words
    assert "cost now unknown" in words
    assert len(judgements(study)) == 3


@pytest.mark.slow
def test_dry_run_then_budget_then_the_rest(study: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    with serving(lambda request, number: answer(SIMILAR)) as server:
        call = ("study", "llm", study, "--model", "tiny", "--base-url", server.url, "--prices", prices, "--canaries", 0)
        dry = run(*call, "--dry-run", "--json")
        assert (dry.code, dry.json["questions"], len(server.requests)) == (0, 15, 0)
        assert dry.json["cost"] > 3
        poor = run(*call, "--budget", "3")
        assert poor.code == 1
        assert "stopped early: the budget is exhausted" in poor.err
        assert "run the same command again" in poor.out
        rest = run(*call, "--json")
    assert rest.code == 0
    assert rest.json["cost_of_all"] == pytest.approx(3.0)
    assert rest.json["kept"] + rest.json["answered"] == 15


def test_position_bias_is_shown(study: Path) -> None:
    def reply(prompt: str) -> str:
        return SIMILAR if prompt.find("int left") < prompt.find("int right") else DIFFERENT

    with serving(lambda request, number: answer(reply(request["messages"][-1]["content"]))) as server:
        ran = run(
            "study", "llm", study, "--model", "tiny", "--base-url", server.url, "--protocol", "similarity-swapped"
        )
    assert ran.code == 1, ran.err
    assert "nothing was decided" in ran.err
    assert "Position bias: 3 of 3 (100.0%) change with the order" in ran.out
    assert [row["value"] for row in judgements(study)] == ["undecided"] * 3


def test_replay(study: Path, tmp_path: Path) -> None:
    sides = [((f"l{n}", fragment(n, "left")), (f"r{n}", fragment(n, "right"))) for n in range(3)]
    logs = [write_log(tmp_path / f"{n}.log", *(block(*pair, UNSURE) for pair in sides)) for n in range(2)]
    ran = run("study", "llm", study, "--replay", *logs)
    assert ran.code == 1, ran.err
    assert "nothing was decided" in ran.err
    assert "comparisons 6" in " ".join(ran.out.split())
    assert [row["value"] for row in judgements(study)] == ["undecided"] * 3
    assert run("study", "llm", study, "--replay", *logs, "--json").json["outcomes"][0]["added"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--model", "tiny", "--replay", "x.log"), 2, "either --model, or --replay"),
        (("--model", "tiny"), 3, "OPENAI_API_KEY is not set"),
        (("--model", "tiny", "--budget", "1"), 3, "A budget needs the price"),
        (("--model", "tiny", "--protocol", "similarty"), 5, "Did you mean 'similarity'"),
        (("--model", "tiny", "--rate", "fast"), 2, "'fast' is not a rate"),
        (("--model", "tiny", "--stop-after-unreadable", "many"), 3, "'many' is not a share"),
        (("--model", "tiny", "--stop-after-unreadable", "120%"), 3, "'120%' is not a share"),
        (("--model", "tiny", "--ask-again", "malformd"), 5, "Did you mean 'malformed'"),
        (("--model", "tiny", "--structured", "perhaps"), 2, "auto"),
        (("--replay", "none.log"), 3, "none.log"),
    ],
)
def test_wrong_usage_is_told(arguments: tuple[str, ...], code: int, message: str, study: Path) -> None:
    ran = run("study", "llm", study, *arguments, env={"OPENAI_API_KEY": ""})
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


@pytest.mark.slow
def test_a_model_that_decides_nothing_is_reported(study: Path) -> None:
    with serving(lambda request, number: answer("It depends.")) as server:
        call = ("study", "llm", study, "--model", "tiny", "--base-url", server.url)
        stopped = run(*call)
        assert (stopped.code, len(server.requests)) == (1, 5)  # one of them tried JSON
        assert "stopped early: 4 of 4 canary questions have no readable answer" in stopped.err
        assert "nothing was decided" in stopped.err
        bulk = run(*call, "--canaries", 0, "--json")
        assert (bulk.code, bulk.json["answered"], bulk.json["outcome"]["decided"]) == (1, 15, 0)
        assert "nothing was decided" in bulk.err
    with serving(lambda request, number: answer(SIMILAR)) as server:
        repeat = (*call[:-1], server.url, "--canaries", 0, "--ask-again", "malformed,cut-off")
        again = run(*repeat)
        assert (again.code, len(server.requests)) == (0, 15)
        assert run(*repeat).code == 0
        assert len(server.requests) == 15


def test_a_wrong_key_is_told_without_it(study: Path) -> None:
    with serving(lambda request, number: refusal(401, f"Incorrect API key: {KEY['OPENAI_API_KEY']}")) as server:
        ran = run("study", "llm", study, "--model", "tiny", "--base-url", server.url, env=KEY)
    assert ran.code == 3
    assert "Incorrect API key: …" in ran.err
    assert KEY["OPENAI_API_KEY"] not in ran.out + ran.err


def test_without_the_extra_it_is_named(study: Path, tmp_path: Path) -> None:
    (tmp_path / "openai.py").write_text("raise ImportError")
    call = ("study", "llm", study, "--model", "tiny", "--base-url", "http://127.0.0.1:9/v1")
    ran = run(*call, env={"PYTHONPATH": str(tmp_path)})
    assert ran.code == 6
    assert "clonetruth[llm]" in ran.err
