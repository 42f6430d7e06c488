"""Finders and tools by name, as a user writes them."""

from __future__ import annotations

import pytest

from clonetruth.detectors import FINDERS
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.find.finder_specs import DEFAULT_FINDERS, FinderSpec


@pytest.mark.parametrize(
    ("texts", "finders", "tools"),
    [
        (DEFAULT_FINDERS, ["exact", "renamed", "tokens"], []),
        (["exact,tokens", "nearmiss"], ["exact", "tokens", "nearmiss"], []),
        ([" exact , tokens "], ["exact", "tokens"], []),
        (["tokens,tokens", "tokens:units=words"], ["tokens"], []),
        (["tokens,jscpd"], ["tokens"], ["jscpd"]),
        (["command[bigcloneeval]:tool --x=1,y {source}", "exact"], ["exact"], ["command"]),
    ],
)
def test_names_are_parsed(texts: list[str], finders: list[str], tools: list[str]) -> None:
    spec = FinderSpec.of(texts)
    assert [finder.name for finder in spec.finders] == finders
    assert [tool.name for tool in spec.tools] == tools


def test_parameters_belong_to_the_finder_before_them() -> None:
    (exact, renamed, tokens) = FinderSpec.of(["exact,renamed:renaming=consistent,tokens:units=tokens"]).finders
    assert exact == FINDERS["exact"]
    assert renamed == FINDERS["renamed"].with_parameters(renaming="consistent")
    assert tokens == FINDERS["tokens"].with_parameters(units="tokens")


@pytest.mark.parametrize("text", ["", "tokens,", "tokns", "tokens exact"])
def test_unknown_names_are_errors(text: str) -> None:
    with pytest.raises(UnknownNameError, match="no finder and no external tool") as caught:
        FinderSpec.of([text])
    assert "nearmiss" in (caught.value.hint or "")
    assert "jscpd" in (caught.value.hint or "")


@pytest.mark.parametrize("text", ["tokens:units=letters", "tokens:size=3", "tokens:units", "command:"])
def test_invalid_parameters_are_errors(text: str) -> None:
    with pytest.raises(InputError):
        FinderSpec.of([text])
