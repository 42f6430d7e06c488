"""Every vote that was acknowledged is there, once: after the writer, or the server of the database, is killed.

A child process votes from many threads and prints the key of a vote as soon as the store acknowledges it. It is killed
(SIGKILL, so that nothing can be tidied up) after a number of them, again and again.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from clonetruth.store.votes import CastVote, ItemKey, ItemKind, UnavailableError, Vote, VoteStore, open_vote_store
from tests.conftest import ROOT
from tests.postgresql import Cluster

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")

THREADS = 16
KILLS = 3
VOTES_BEFORE_KILL = 60

WRITER = """
import sys, threading
from pathlib import Path
from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store

study, url, begin, *judges = sys.argv[1:]
store = open_vote_store(Path(study), url or None)

def work(judge):
    for number in range(int(begin), 10**9):
        key = f"{judge}-{number}"
        store.cast(Vote(key, judge, ItemKey(ItemKind.PAIR, number), "clone"))
        # One write for one line: the lines of threads do not mix.
        sys.stdout.write(key + "\\n")

for judge in judges:
    threading.Thread(target=work, args=(judge,)).start()
"""


def everything(store: VoteStore, judges: list[str]) -> list[CastVote]:
    return sorted((one for judge in judges for one in store.votes_of(judge)), key=lambda one: one.sequence)


def vote_until_killed(study: Path, url: str | None, begin: int, judges: list[str]) -> list[str]:
    """The keys that a writer acknowledged before it was killed."""
    command = [sys.executable, "-u", "-c", WRITER, str(study), url or "", str(begin), *judges]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        keys = [writer.stdout.readline() for _ in range(VOTES_BEFORE_KILL)]
        writer.send_signal(signal.SIGKILL)
        # What was printed before the kill reached us is acknowledged too; a torn last line is not.
        keys += [line for line in writer.stdout if line.endswith("\n")]
    assert writer.returncode == -signal.SIGKILL
    return [key.strip() for key in keys]


def test_a_killed_writer(study: Path, url: str | None, store: VoteStore) -> None:
    judges = [store.add_judge(f"Judge {number}")[0].id for number in range(THREADS)]
    acknowledged: list[str] = []
    for kill in range(1, KILLS + 1):
        acknowledged += vote_until_killed(study, url, kill * 1_000_000, judges)
        with open_vote_store(study, url) as fresh:
            found = everything(fresh, judges)
        keys = [one.vote.key for one in found]
        assert len(set(keys)) == len(keys)
        assert set(acknowledged) <= set(keys)
        # What is there without having been acknowledged was under way when the writer died, at most one for a thread.
        assert len(keys) - len(acknowledged) <= THREADS * kill
        assert [one.sequence for one in found] == list(range(1, len(found) + 1))
    for one in found:
        assert store.cast(one.vote).repeated
    assert everything(store, judges) == found


@pytest.mark.slow
def test_a_killed_server_of_the_database(study: Path, postgresql: Cluster) -> None:
    with open_vote_store(study, postgresql.url) as store:
        judges = [store.add_judge(f"Judge {number}")[0].id for number in range(THREADS)]
        acknowledged: list[str] = []
        failures: list[str] = []
        ended = threading.Event()

        def insist(vote: Vote) -> None:
            """Send a vote until it is acknowledged, as a page does."""
            while True:
                try:
                    acknowledged.append(store.cast(vote).key)
                    return
                except UnavailableError as error:
                    failures.append(str(error))
                    time.sleep(0.05)

        def work(judge: str) -> None:
            number = 0
            while not ended.is_set():
                insist(Vote(f"{judge}-{number}", judge, ItemKey(ItemKind.PAIR, number), "clone"))
                number += 1

        threads = [threading.Thread(target=work, args=(judge,), daemon=True) for judge in judges]
        for thread in threads:
            thread.start()
        for _ in range(2):
            before = len(acknowledged)
            while len(acknowledged) < before + VOTES_BEFORE_KILL:
                time.sleep(0.01)
            postgresql.stop("immediate")
            postgresql.start()
        ended.set()
        for thread in threads:
            thread.join()
        assert failures
        found = everything(store, judges)
        assert sorted(one.vote.key for one in found) == sorted(acknowledged)
        assert [one.sequence for one in found] == list(range(1, len(found) + 1))
