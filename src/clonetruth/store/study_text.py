"""What the README of a study folder tells a judge."""

from __future__ import annotations

from clonetruth.model import Criterion
from clonetruth.store.study_protocol import Protocol


def study_readme(title: str, protocol: Protocol, criterion: Criterion, subjects: int) -> str:
    """The text of a study's `README.md`."""
    answers = ", ".join(f"`{value}`" for value in protocol.answers)
    definition = f"\n{protocol.definition.strip()}\n" if protocol.definition else ""
    return f"""# {title}

{subjects:,} pairs of code fragments wait for your judgement. `subjects.parquet` holds them, one in a row; `study.json`
says how they were drawn.

**The question:** {protocol.question}

**The criterion** `{criterion.name}`: {criterion.meaning}
{definition}
**The answers:** {answers}.

How to judge:

1. Take the pairs in the order of `subject`, from 0. Read both texts before you answer. Where a text is missing, look it
   up by path and lines.
2. Judge by the criterion alone, and not by what a tool, a label or another judge says. Do not look at `stratum`,
   `score`, `label` or `weight`, and do not talk about a pair before everybody has judged it.
3. Answer every pair. If you cannot tell, answer `undecided` and say why: leaving out the hard ones biases the result.
4. Write down `subject`, your answer, and the reason in a sentence.

`clonetruth study serve` does all this in a browser, and hides what you should not look at.

Every pair stands for `weight` pairs of its stratum. Pairs with `extra` were added so that their stratum is covered.
"""
