"""The map of what things share."""

from __future__ import annotations

from xml.etree import ElementTree

from clonetruth.html.plots import Labels, Svg, share_map

LABELS = Labels("Who shares <code>", x="lines")


def squares(picture: Svg) -> dict[str, float]:
    found = [one for one in ElementTree.fromstring(str(picture)).iter() if one.tag.endswith("rect")]
    return {one[0].text or "": float(one.get("width", "")) for one in found}


def test_a_square_grows_with_what_is_shared() -> None:
    found = squares(share_map(["a", "b"], {(0, 0): 25, (0, 1): 100, (1, 1): 0}, LABELS))
    assert found["a and b: 100 lines"] == 2 * found["within a: 25 lines"]
    assert len(found) == 2, "what shares nothing has no square"


def test_the_largest_are_described_first_and_names_stay_text() -> None:
    picture = share_map(["<b>", "c"], {(0, 0): 1, (0, 1): 2, (1, 1): 3}, LABELS)
    described = ElementTree.fromstring(str(picture))[1].text or ""
    assert described.endswith("The largest: within c: 3 lines; <b> and c: 2 lines; within <b>: 1 lines.")
    assert "&lt;b&gt;" in picture
    assert "<b>" not in picture


def test_many_things_stay_within_the_picture() -> None:
    names = [f"folder-with-a-long-name-{number}" for number in range(15)]
    picture = ElementTree.fromstring(str(share_map(names, {(k, k): 1.0 for k in range(15)}, LABELS)))
    width = float(picture.get("width", ""))
    ends = [float(one.get("x", "")) + float(one.get("width", "")) for one in picture.iter() if one.tag.endswith("rect")]
    assert len(ends) == 15
    assert max(ends) <= width
    shown = [one.text or "" for one in picture.iter() if one.tag.endswith("text")]
    last = next(text for text in shown if text.endswith("a-long-name-14 15"))
    assert last.startswith("…"), "the end of a path says more than its beginning"


def test_nothing_shared_is_no_data() -> None:
    assert "There is no data to show." in share_map(["a"], {}, LABELS)
