"""The dataset card of a Hugging Face export: what the hub reads, and what a person must know."""

from __future__ import annotations

import json
from collections.abc import Mapping

from clonetruth.model import CRITERIA, Card
from clonetruth.verdicts import POLICIES, VerdictTable

_LICENCES = {
    "MIT": "mit",
    "Apache-2.0": "apache-2.0",
    "GPL-3.0": "gpl-3.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-NC-ND-4.0": "cc-by-nc-nd-4.0",
    "C-UDA": "c-uda",
}
_FEATURES = """\
  features:
  - name: pair
    dtype: int64
  - name: left
    dtype: string
  - name: right
    dtype: string
  - name: label
    dtype:
      class_label:
        names:
          '0': not-clone
          '1': clone
  - name: functionality
    dtype: string
  - name: left_language
    dtype: string
  - name: right_language
    dtype: string
  - name: left_text
    dtype: string
  - name: right_text
    dtype: string
"""


def dataset_card(
    card: Card,
    verdicts: VerdictTable,
    splits: Mapping[str, int],
    written: Mapping[str, int],
    left_out: Mapping[str, int],
) -> str:
    """The README.md of the export.

    Args:
        card: the benchmark's card.
        verdicts: where the labels come from.
        splits: rows of each split, by the split's name.
        written: pairs by label.
        left_out: pairs that were not written, by reason.
    """
    files = "".join(f"  - split: {name}\n    path: data/{name}-*.parquet\n" for name in splits)
    sizes = "".join(f"  - name: {name}\n    num_examples: {count}\n" for name, count in splits.items())
    front = (
        f"---\npretty_name: {json.dumps(card.name, ensure_ascii=False)}\n"
        f"license: {_LICENCES.get(card.licence, 'other')}\ntags:\n- code\n- code-clones\n"
        f"configs:\n- config_name: default\n  data_files:\n{files}"
        f"dataset_info:\n  config_name: default\n{_FEATURES}  splits:\n{sizes}---\n"
    )
    body = [
        f"# {card.name} {card.version}",
        card.description,
        "## What a label means",
        f"The verdict of the policy `{verdicts.policy}` under the criterion `{verdicts.criterion}` "
        f"({CRITERIA[verdicts.criterion].meaning}) {POLICIES[verdicts.policy].description}",
        *verdicts.assumptions,
        "## Sizes",
        _lines({f"pairs labelled {name}": count for name, count in written.items()}),
        "Left out, and not counted as anything:" if left_out else "Nothing was left out.",
        _lines(left_out),
        "## Rights and origin",
        f"Licence: {card.licence}. Citation: {card.citation}",
        "## Known flaws" if card.known_flaws else "",
        "\n".join(f"- {flaw}" for flaw in card.known_flaws),
    ]
    return front + "\n" + "\n\n".join(part for part in body if part) + "\n"


def _lines(counts: Mapping[str, int]) -> str:
    return "\n".join(f"- {name}: {count:,}" for name, count in counts.items())
