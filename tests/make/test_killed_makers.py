"""A maker that is killed again and again: nothing that was answered is asked, or paid for, a second time."""

from __future__ import annotations

import json
import multiprocessing
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import clonetruth
from clonetruth.store import open_benchmark
from tests.judges.chat_server import ChatServer, Reply, serving
from tests.make.recipes import judging_model, seed_benchmark, write_judged_recipe, write_recipe


def _reply(request: dict[str, Any], number: int) -> Reply:
    return Reply(judging_model(request, number).body, delay=0.02)


# Makers are processes of their own, forked from one that has imported everything.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["clonetruth.make", "clonetruth.make.generation", "clonetruth.make.judging", "openai"])


def _make(recipe: str, output: str) -> None:
    clonetruth.make_benchmark(recipe, output=output)


def _kill(recipe: Path, server: ChatServer, chance: random.Random) -> bool:
    """Start a maker and kill it at a random moment; whether it was still running."""
    process = _CONTEXT.Process(target=_make, args=(str(recipe), str(recipe.parent / "made")))
    process.start()
    wanted = len(server.requests) + chance.randrange(1, 7)
    while process.is_alive() and len(server.requests) < wanted:
        time.sleep(0.005)
    time.sleep(chance.uniform(0, 0.05))
    running = process.is_alive()
    process.kill()
    process.join()
    return running


def _journals(folder: Path) -> list[list[dict[str, Any]]]:
    return [
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
        for path in sorted(folder.rglob("llm/*.jsonl"))
    ]


def _key(record: dict[str, Any], name: str) -> tuple[str, str, int]:
    return record[name], record["order"], record["run"]


def _assert_answers_are_final(folder: Path) -> int:
    """No question was sent again after its answer was stored; the number of answers."""
    answered: set[tuple[int, tuple[str, str, int]]] = set()
    for number, records in enumerate(_journals(folder)):
        for one in records:
            if "sent" in one:
                assert (number, _key(one, "sent")) not in answered
            elif "question" in one:
                key = (number, _key(one, "question"))
                assert key not in answered
                answered.add(key)
    return len(answered)


@pytest.mark.slow
def test_twenty_kills_without_a_double_payment(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds", 6)
    chance = random.Random(17)
    with serving(_reply) as server:
        recipe = write_recipe(tmp_path, server.url, runs=30, more='cut_off = "leave"\npartial = true')
        assert sum(_kill(recipe, server, chance) for _ in range(20)) == 20
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    payments = Counter(server.idempotency_keys)
    assert set(payments.values()) == {1}, "the server bills every request, and no question was sent twice"
    asked = report.stage("ask").report
    assert asked is not None
    unsure = asked.left_out.get("possibly paid, without an answer", 0)
    # At most two requests are on their way at a time; what they may have cost is counted.
    assert asked.given["answers"] + unsure == 180
    assert 0 < unsure <= 20 * 2
    assert asked.details["tokens"]["cut-off requests, possibly paid"] == unsure
    assert _assert_answers_are_final(tmp_path / "made") == asked.given["answers"]


@pytest.mark.slow
def test_twenty_kills_lose_no_answer_and_no_judgement(tmp_path: Path) -> None:
    seed_benchmark(tmp_path / "seeds", 6)
    chance = random.Random(7)
    with serving(_reply) as server:
        recipe = write_judged_recipe(tmp_path, server.url, runs=10)
        assert sum(_kill(recipe, server, chance) for _ in range(20)) == 20
        report = clonetruth.make_benchmark(recipe, output=tmp_path / "made")
    assert report.finished
    asked, judged = report.stage("ask").report, report.stage("llm-judge").report
    assert asked is not None
    assert judged is not None
    assert asked.given["answers"] == 60
    answers = _assert_answers_are_final(tmp_path / "made")
    # A request that was on its way at a kill is sent again with its key: a server that knows it bills it once.
    assert len(set(server.idempotency_keys)) == answers
    assert len(server.requests) <= answers + 20 * 2
    made = open_benchmark(tmp_path / "made" / "benchmark")
    said = made.sql("SELECT pair, count(*) AS n FROM judgements WHERE judge LIKE 'llm:%' GROUP BY pair")
    assert set(said["n"].to_pylist()) == {1}
    assert said.num_rows == made.counts["pairs"]
