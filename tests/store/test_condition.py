"""Conditions of a user: one condition, and nothing more."""

from __future__ import annotations

import pytest

from clonetruth.errors import InputError
from clonetruth.store.sampling import check_condition


@pytest.mark.parametrize(
    "text",
    [
        "clone_type = 'WT3/T4' and verdict = 'clone'",
        "left_path LIKE '%)%' OR left_id = 'a;b'",
        "pair IN (SELECT pair FROM other)",
        "a = 1 -- with a remark",
        "CASE WHEN a THEN b ELSE c END",
    ],
)
def test_conditions(text: str) -> None:
    check_condition(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("a = 'b", "not valid SQL"),
        ("a = ", "not valid SQL"),
        ("a = 1; DELETE FROM pairs", "not valid SQL"),
        ("1 = 1); DROP TABLE pairs; SELECT (1", "not valid SQL"),
        ("1 = 1) UNION ALL SELECT 1 FROM rows WHERE (1 = 1", "more than a condition"),
        ("1 = 1) ORDER BY (a", "more than a condition"),
        ("1 = 1) GROUP BY (a", "more than a condition"),
        ("1 = 1) LIMIT (3", "more than a condition"),
        ("1 = 1); SELECT 1 WHERE (1 = 1", "more than a condition"),
    ],
)
def test_what_is_none(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_condition(text)
