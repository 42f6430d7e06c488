"""Item tokens: they decrypt to the item, reveal nothing, and cannot be forged."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.web.subjects import ItemTokens

TOKENS = ItemTokens(b"secret")
ITEMS = st.builds(ItemKey, st.sampled_from(ItemKind), st.integers(0, 2**63 - 1))


@given(ITEMS)
def test_a_token_decrypts_for_its_judge_only(item: ItemKey) -> None:
    token = TOKENS.token("ada", item)
    assert token == TOKENS.token("ada", item)
    assert TOKENS.item("ada", token) == item
    assert TOKENS.item("bob", token) is None
    assert ItemTokens(b"other").item("ada", token) is None


@given(ITEMS, st.integers(0, 199))
def test_a_changed_token_is_rejected(item: ItemKey, bit: int) -> None:
    token = TOKENS.token("ada", item)
    changed = int(token, 16) ^ (1 << bit)
    assert TOKENS.item("ada", f"{changed:050x}") is None


@given(st.text() | st.binary(max_size=40).map(bytes.hex))
def test_arbitrary_text_is_rejected(text: str) -> None:
    assert TOKENS.item("ada", text) is None


def test_tokens_reveal_nothing() -> None:
    tokens = {TOKENS.token("ada", ItemKey(kind, number)) for kind in ItemKind for number in range(300)}
    assert len(tokens) == 300 * len(ItemKind)
    assert {len(token) for token in tokens} == {50}
    # Neighbours have nothing in common: about half of the bits differ, in the part that hides the item too.
    hidden = [int(TOKENS.token("ada", ItemKey(ItemKind.PAIR, number))[-18:], 16) for number in range(300)]
    differing = [(one ^ other).bit_count() for one, other in pairwise(hidden)]
    assert 33 < sum(differing) / len(differing) < 39
