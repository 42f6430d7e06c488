"""Record our own similarities of a thousand BigCloneBench pairs: ``python -m tests.golden.record_bigclonebench``.

Only ids and our numbers are written, no text. Run it when the definition is changed on purpose.
"""

from __future__ import annotations

import csv
import hashlib
from pathlib import Path

from clonetruth.code import clone_type
from tests.code.bigclonebench import forms_by_id, read_pairs, read_texts
from tests.code.test_bigclonebench import GOLDEN
from tests.conftest import SHARED


def record(data: Path, target: Path) -> None:
    """Draw pairs by the hash of their ids: 200 of each published group, and 200 that are published nowhere."""
    texts = read_texts(data)
    published = read_pairs(data, texts)
    drawn: list[tuple[int, int]] = []
    for group in (1, 2, 3, 4):
        ids = sorted({(pair.left, pair.right) for pair in published if pair.group == group}, key=_order)
        drawn += ids[:200]
    numbers = sorted(texts)
    strangers = ((numbers[i * 7919 % len(numbers)], numbers[i * 104729 % len(numbers)]) for i in range(1, 2000))
    drawn += sorted({pair for pair in strangers if pair[0] != pair[1]}, key=_order)[:200]
    forms = forms_by_id(texts, {number for pair in drawn for number in pair})
    with target.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("left", "right", "clone_type", "similarity_line", "similarity_token"))
        for left, right in drawn:
            found = clone_type(forms[left], forms[right], "min")
            measured = (f"{found.similarity.line:.9f}", f"{found.similarity.token:.9f}")
            writer.writerow((left, right, found.name, *measured))


def _order(pair: tuple[int, int]) -> str:
    return hashlib.md5(f"{pair[0]}-{pair[1]}".encode()).hexdigest()


if __name__ == "__main__":
    record(SHARED / "data", GOLDEN)
