"""Killed in the middle, the command goes on where it was: nothing paid for is lost, nothing is paid for twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from clonetruth.judges import LLMSettings, ask_model
from clonetruth.judges.journal import read_journal
from clonetruth.judges.protocol import respondent
from clonetruth.judges.protocols import SIMILARITY
from tests.cli.running import hear_ctrl_c
from tests.judges.chat_server import SIMILAR, Reply, answer, serving
from tests.judges.studies import judgements, make_study

pytestmark = pytest.mark.slow

KEY = "sk-very-secret"


def start(study: Path, url: str, *options: str) -> subprocess.Popen[bytes]:
    """The command, with two questions at once."""
    call = [sys.executable, "-m", "clonetruth", "study", "llm", str(study), "--model", "tiny", "--base-url", url]
    environment = {**os.environ, "OPENAI_API_KEY": KEY}
    return subprocess.Popen(
        [*call, "--concurrency", "2", "--canaries", "0", *options],
        env=environment,
        stdout=subprocess.PIPE,
        preexec_fn=hear_ctrl_c,
    )


def test_killed_and_started_again(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 6)
    reached, answered = threading.Event(), 8

    def reply(request: dict[str, Any], number: int) -> Reply:
        if number >= answered:
            # From here on nothing is answered: the killed process has paid for exactly what came before.
            reached.set()
            return Reply(answer(SIMILAR).body, delay=0.5, cut=True)
        return answer(SIMILAR)

    for _ in range(2):
        with serving(reply) as server:
            process = start(study, server.url)
            assert reached.wait(60)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        reached.clear()
    with serving(lambda request, number: answer(SIMILAR)) as server:
        report = ask_model(study, "tiny", SIMILARITY, LLMSettings(base_url=server.url, canaries=0))
    # Both calls got eight answers, the last of which may have been on its way when the process was killed.
    assert 2 * (answered - 1) <= report.kept <= 2 * answered
    assert report.kept + len(server.requests) == 30
    assert report.complete
    assert report.cut_off >= 2  # what was in flight may have been billed
    assert [row["subject"] for row in judgements(study)] == list(range(6))


def test_stopped_by_hand(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 6)
    reached = threading.Event()

    def reply(request: dict[str, Any], number: int) -> Reply:
        if number >= 4:
            reached.set()
        return Reply(answer(SIMILAR).body, delay=0 if number < 4 else 1)

    with serving(reply) as server:
        process = start(study, server.url)
        assert reached.wait(60)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    assert len(read_journal(study, respondent("tiny", SIMILARITY)).answers) >= 3


def test_the_key_is_in_no_file_and_in_no_output(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    with serving(lambda request, number: answer(f"{SIMILAR} {KEY}")) as server:
        process = start(study, server.url, "--json")
        output, _ = process.communicate()
    assert process.returncode == 0
    assert KEY in next(iter(server.keys))
    assert KEY.encode() not in output
    for path in study.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert KEY not in str(judgements(study))
