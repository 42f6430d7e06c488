"""Consent, quotas and withdrawal: what the vote store refuses, and that a judge who withdraws is really gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.study import CONSENT_FILE
from clonetruth.store.votes import (
    ItemKey,
    ItemKind,
    JudgeRole,
    NotAllowedError,
    Vote,
    VoteKind,
    VoteStore,
    Withdrawal,
    open_vote_store,
)

PAIRS = [ItemKey(ItemKind.PAIR, number) for number in range(3)]
NAME = "Augusta Ada King"
REASON = "the loop of the second one never ends"


def vote(judge: str, key: str, item: ItemKey = PAIRS[0], value: str = "clone", reason: str | None = None) -> Vote:
    return Vote(key, judge, item, value, reason=reason)


def decision(judge: str, key: str, item: ItemKey, reason: str) -> Vote:
    return Vote(key, judge, item, "clone", VoteKind.ADJUDICATION, reason=reason)


def traces(folder: Path, *texts: str) -> list[Path]:
    """The files of a folder in which one of the texts occurs, whatever they are."""
    wanted = [text.encode() for text in texts]
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file for file in files if any(text in file.read_bytes() for text in wanted)]


def test_a_judge_who_withdraws_is_gone(store: VoteStore, study: Path) -> None:
    ada, token = store.add_judge(NAME)
    bob, _ = store.add_judge("Bob")
    eve, _ = store.add_judge("Eve", JudgeRole.ADJUDICATOR)
    store.cast(vote(ada.id, "a1", reason=REASON))
    store.cast(vote(bob.id, "b1", value="not-clone"))
    store.cast(vote(bob.id, "b2", PAIRS[1]))
    store.cast(vote(ada.id, "a2", PAIRS[2]))
    store.undo(ada.id, "a2")
    store.cast(decision(eve.id, "e1", PAIRS[0], f"as said: {REASON}"))
    store.cast(decision(eve.id, "e2", PAIRS[1], "obvious"))
    done = store.withdraw(NAME)
    assert (done.role, done.votes, done.decisions) == (JudgeRole.JUDGE, 3, 1)
    assert store.withdrawals() == (done,)
    assert [judge.name for judge in store.judges()] == ["Bob", "Eve"]
    assert store.find_judge_by_token(token) is None
    assert {item: list(votes) for item, votes in store.current_votes().items()} == {
        PAIRS[0]: [bob.id],
        PAIRS[1]: [bob.id],
    }
    # Bob's subject has no decision any more; the one on which Ada never voted has.
    assert list(store.adjudications()) == [PAIRS[1]]
    assert traces(study, NAME, ada.id, token, ada.token_hash, REASON) == []
    with pytest.raises(NotAllowedError):
        store.cast(vote(ada.id, "a3"))


def test_votes_go_on_after_a_withdrawal(store: VoteStore, study: Path, url: str | None) -> None:
    ada, bob = (store.add_judge(name)[0].id for name in ("Ada", "Bob"))
    store.cast(vote(bob, "b1"))
    store.cast(vote(ada, "a1"))
    store.cast(vote(ada, "a2", PAIRS[1]))
    assert len(store.updates(0).rows) == 3
    with open_vote_store(study, url) as other:
        # Another process withdraws: this one must forget what it has read.
        other.withdraw("Ada")
    assert store.cast(vote(bob, "b2", PAIRS[1])).sequence == 2
    updates = store.updates(0)
    assert [cast.vote.key for cast in updates.rows] == ["b1", "b2"]
    assert updates.withdrawals == 1
    assert [cast.vote.key for cast in store.updates(1).rows] == ["b2"]
    store.add_judge("Ada")
    assert store.withdraw("Bob").votes == 2
    assert store.current_votes() == {}


def test_only_somebody_who_is_invited_can_withdraw(store: VoteStore) -> None:
    with pytest.raises(InputError, match="Nobody called 'Ada'") as error:
        store.withdraw("Ada")
    assert error.value.hint == "Invited: nobody."
    pseudonym = store.add_judge("Ada")[0].id
    store.add_judge("Bob")
    assert isinstance(store.withdraw(pseudonym), Withdrawal)
    with pytest.raises(InputError, match="Nobody called 'Ada'") as error:
        store.withdraw("Ada")
    assert error.value.hint == "Invited: Bob. 1 withdrew before, and are not known by name any more."


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_between_erasing_and_overwriting(study: Path) -> None:
    """What was deleted, but is still in the file, is overwritten when the votes are opened next."""
    with open_vote_store(study) as store:
        ada, _ = store.add_judge(NAME)
        store.cast(vote(ada.id, "a1", reason=REASON))
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from clonetruth.store.votes import open_vote_store, vote_store\n"
        "vote_store.erase_remains = lambda database: os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_vote_store(Path(sys.argv[1])).withdraw(sys.argv[2])\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([sys.executable, "-c", script, str(study), NAME], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert traces(study, NAME, REASON)
    with open_vote_store(study) as store:
        assert len(store.withdrawals()) == 1
    assert traces(study, NAME, REASON) == []


def test_nobody_gets_more_than_the_quota(store: VoteStore) -> None:
    ada, _ = store.add_judge("Ada", quota=2)
    assert store.judges() == (ada,)
    store.cast(vote(ada.id, "c", ItemKey(ItemKind.CHECK, 0)))
    store.cast(vote(ada.id, "1", PAIRS[0]))
    store.cast(vote(ada.id, "2", PAIRS[1]))
    with pytest.raises(NotAllowedError, match="all of their 2 subjects"):
        store.cast(vote(ada.id, "3", PAIRS[2]))
    # A change of mind, a check and a repeated request are not one more subject.
    store.cast(vote(ada.id, "4", PAIRS[1], "not-clone"))
    store.cast(vote(ada.id, "5", ItemKey(ItemKind.CHECK, 1)))
    assert store.cast(vote(ada.id, "1", PAIRS[0])).repeated
    store.undo(ada.id, "1")
    store.cast(vote(ada.id, "6", PAIRS[2]))
    with pytest.raises(NotAllowedError):
        store.cast(vote(ada.id, "7", PAIRS[0]))
    assert store.renew_judge("Ada")[0].quota == 2
    assert store.renew_judge("Ada", quota=3)[0].quota == 3
    store.cast(vote(ada.id, "8", PAIRS[0]))
    for wrong in (0, -1):
        with pytest.raises(InputError, match="at least one subject"):
            store.add_judge("Bob", quota=wrong)


def test_two_tabs_at_once_do_not_exceed_the_quota(store: VoteStore) -> None:
    ada, _ = store.add_judge("Ada", quota=1)
    refused = []

    def send(number: int) -> None:
        try:
            store.cast(vote(ada.id, f"k{number}", PAIRS[number]))
        except NotAllowedError:
            refused.append(number)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 2
    assert len(store.current_votes()) == 1


def test_no_vote_without_consent(store: VoteStore, study: Path) -> None:
    ada, bob = (store.add_judge(name)[0].id for name in ("Ada", "Bob"))
    store.cast(vote(ada, "before"))
    assert store.consent_to_ask(ada) is None
    (study / CONSENT_FILE).write_text("We record *answers*.", encoding="utf-8")
    asked = store.consent_to_ask(ada)
    assert asked is not None
    assert asked.text == "We record *answers*."
    with pytest.raises(NotAllowedError, match="has not agreed"):
        store.cast(vote(ada, "a1", PAIRS[1]))
    # What was stored before is acknowledged, and can be taken back.
    assert store.cast(vote(ada, "before")).repeated
    store.undo(ada, "before")
    store.accept_consent(ada, asked.digest)
    store.accept_consent(ada, asked.digest)
    store.cast(vote(ada, "a1", PAIRS[1]))
    assert store.consent_to_ask(ada) is None
    with pytest.raises(NotAllowedError):
        store.cast(vote(bob, "b1", PAIRS[1]))
    assert store.consents(asked.digest).keys() == {ada}

    (study / CONSENT_FILE).write_text("We record answers, and publish them.", encoding="utf-8")
    changed = store.consent_to_ask(ada)
    assert changed is not None
    assert changed.digest != asked.digest
    with pytest.raises(NotAllowedError, match="has not agreed"):
        store.cast(vote(ada, "a2", PAIRS[2]))
    with pytest.raises(NotAllowedError, match="text has changed"):
        store.accept_consent(ada, asked.digest)
    store.accept_consent(ada, changed.digest)
    store.cast(vote(ada, "a2", PAIRS[2]))
    assert list(store.consents()) == list(store.consents(changed.digest)) == [ada]
    with pytest.raises(NotAllowedError):
        store.accept_consent("person-nobody", changed.digest)
