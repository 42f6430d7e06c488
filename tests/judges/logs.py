"""Logs of a model, as Krinke and Ragkhitwetsagul's runs wrote them."""

from __future__ import annotations

from pathlib import Path

PROMPT = '''\
Are these two {language} snippets alike?

Code Snippet 1: """
{left}
"""

Code Snippet 2: """
{right}
"""

Compare them. ANSWER: YES-SIMILAR, NO-NOT-SIMILAR or DONT-KNOW
'''
"""The layout of a recorded prompt."""
SIMILAR = "ANSWER: YES-SIMILAR\nEXPLANATION: Both add."
DIFFERENT = "ANSWER: NO-NOT-SIMILAR\nEXPLANATION: One adds, one does not."
UNSURE = "ANSWER: DONT-KNOW\nEXPLANATION: Who knows."


def block(left: tuple[str, str], right: tuple[str, str], response: str, model: str = "gpt-4o") -> str:
    """A comparison of two snippets, each given by name and text."""
    prompt = PROMPT.format(left=left[1], right=right[1], language="Java")
    title = f">>> {left[0]} vs. {right[0]} with {model}"
    return f"### COMPARISON\n{title}\n### PROMPT\n{prompt}\n### RESPONSE\n{response}\n### RESULT\n0\n"


def write_log(path: Path, *blocks: str) -> Path:
    """A log with these blocks."""
    path.write_text("".join(blocks), encoding="utf-8")
    return path
