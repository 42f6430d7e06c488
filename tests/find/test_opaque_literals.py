"""Functions with template strings and regular expressions are found without a tree where the scanner is sure."""

from __future__ import annotations

from itertools import product

import pytest

from clonetruth.code import language
from clonetruth.detectors.equal_forms import ExactForm, RenamedForm
from clonetruth.detectors.finder import FinderOptions
from clonetruth.find.features import FormFeatures
from clonetruth.find.functions import functions_of

_FUNCTION = """function f(x) {
  const u = %s;
  if (x) { g(u, /a[/]b/g, x.map(y => y * 2)); }
  return `n ${x[0]} ${`in ${x}`}` + (x)%s2 / 3;%s
}
"""
_DIVISIONS = ("/", " / ")  # only the grammar knows what the first one is
_COMMENTS = ("", " // </a> it`s", ' /* " */')


@pytest.mark.parametrize("name", ["javascript", "typescript", "tsx"])
def test_layout_and_comments_do_not_change_the_features_of_literals(name: str) -> None:
    def features(detector: ExactForm | RenamedForm, string: str) -> set[bytes]:
        texts = [(_FUNCTION % (string, *layout)).encode() for layout in product(_DIVISIONS, _COMMENTS)]
        parts = functions_of(texts, language(name), FinderOptions(min_tokens=10, min_lines=1)).parts
        found = [one for part in parts for one in FormFeatures(detector, language(name)).features(part).to_pylist()]
        assert len(found) == len(texts)
        return set(found)

    # A template string without code is a literal like any other if names and values do not count.
    assert len(features(RenamedForm(), "`t`") | features(RenamedForm(), "'t'")) == 1
    assert len(features(ExactForm(), "`t`")) == len(features(ExactForm(), "'t'")) == 1
    assert features(ExactForm(), "`t`") != features(ExactForm(), "'t'")
