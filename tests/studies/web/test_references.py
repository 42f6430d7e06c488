"""Names of items on pages: they lead back, tell nothing, and cannot be made up."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clonetruth.store.votes import ItemKey, ItemKind
from clonetruth.studies.web.subjects import ItemTokens

REFERENCES = ItemTokens(b"secret")
ITEMS = st.builds(ItemKey, st.sampled_from(ItemKind), st.integers(0, 2**63 - 1))


@given(ITEMS)
def test_a_name_leads_back_for_its_judge_only(item: ItemKey) -> None:
    name = REFERENCES.name("ada", item)
    assert name == REFERENCES.name("ada", item)
    assert REFERENCES.item("ada", name) == item
    assert REFERENCES.item("bob", name) is None
    assert ItemTokens(b"other").item("ada", name) is None


@given(ITEMS, st.integers(0, 199))
def test_a_changed_name_is_not_ours(item: ItemKey, bit: int) -> None:
    name = REFERENCES.name("ada", item)
    changed = int(name, 16) ^ (1 << bit)
    assert REFERENCES.item("ada", f"{changed:050x}") is None


@given(st.text() | st.binary(max_size=40).map(bytes.hex))
def test_what_nobody_named_is_nothing(text: str) -> None:
    assert REFERENCES.item("ada", text) is None


def test_names_tell_nothing() -> None:
    names = {REFERENCES.name("ada", ItemKey(kind, number)) for kind in ItemKind for number in range(300)}
    assert len(names) == 900
    assert {len(name) for name in names} == {50}
    # Neighbours have nothing in common: about half of the bits differ, in the part that hides the item too.
    hidden = [int(REFERENCES.name("ada", ItemKey(ItemKind.PAIR, number))[-18:], 16) for number in range(300)]
    differing = [(one ^ other).bit_count() for one, other in pairwise(hidden)]
    assert 33 < sum(differing) / len(differing) < 39
