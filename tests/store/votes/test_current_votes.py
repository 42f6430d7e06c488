"""What stands, against the definition: of what was not taken back, the latest of each judge on each item."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.store.votes import CastVote, ItemKey, ItemKind, Vote, VoteKind
from clonetruth.store.votes.current_votes import CurrentVotes

TIME = datetime(2030, 1, 1, tzinfo=UTC)
ITEMS = [ItemKey(ItemKind.PAIR, 0), ItemKey(ItemKind.PAIR, 1), ItemKey(ItemKind.METHOD, 0)]
SAYING = (VoteKind.VOTE, VoteKind.SKIP, VoteKind.ADJUDICATION)


@st.composite
def histories(draw: st.DrawFn) -> list[CastVote]:
    """Rows as a store writes them: an undo names a row of the same judge that was not taken back before."""
    rows: list[CastVote] = []
    open_rows: list[Vote] = []
    for number in range(1, draw(st.integers(0, 25)) + 1):
        if draw(st.booleans()) and open_rows:
            first = open_rows.pop(draw(st.integers(0, len(open_rows) - 1)))
            vote = Vote(f"undo:{first.key}", first.judge, first.item, None, VoteKind.UNDO, undoes=first.key)
        else:
            kind, judge = draw(st.sampled_from(SAYING)), draw(st.sampled_from("ab"))
            value = None if kind is VoteKind.SKIP else draw(st.sampled_from(["clone", "not-clone"]))
            vote = Vote(f"k{number}", judge, draw(st.sampled_from(ITEMS)), value, kind)
            open_rows.append(vote)
        rows.append(CastVote(number, TIME, vote))
    return rows


@given(histories())
def test_what_stands(rows: list[CastVote]) -> None:
    tally = CurrentVotes()
    for row in rows:
        tally.add(row)
    undone = {row.vote.undoes for row in rows}
    left = [row for row in rows if row.vote.kind is not VoteKind.UNDO and row.vote.key not in undone]
    for judge in "ab":
        assert tally.of_judge(judge) == tuple(row for row in left if row.vote.judge == judge)
    for kind in SAYING:
        expected: dict[ItemKey, dict[str, CastVote]] = {}
        for row in left:
            if row.vote.kind is kind:
                expected.setdefault(row.vote.item, {})[row.vote.judge] = row
        assert tally.current(kind) == expected
    assert tally.last == len(rows)


@given(histories(), st.integers(0, 25))
def test_news(rows: list[CastVote], after: int) -> None:
    tally = CurrentVotes()
    for row in rows:
        tally.add(row)
    updates = tally.updates(after)
    assert updates.rows == rows[after:]
    assert updates.current.keys() == {row.vote.item for row in rows[after:]}
    standing = tally.current(VoteKind.VOTE)
    assert all(votes == standing.get(item, {}) for item, votes in updates.current.items())
