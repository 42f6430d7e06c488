"""Logs of a model, as Krinke and Ragkhitwetsagul's runs wrote them."""

from __future__ import annotations

from pathlib import Path

from clonetruth.judges.protocols import KRINKE


def block(left: tuple[str, str], right: tuple[str, str], response: str, model: str = "gpt-4o") -> str:
    """A comparison of two snippets, each given by name and text."""
    prompt = KRINKE.render({"left": left[1], "right": right[1], "language": "Java"})
    title = f">>> {left[0]} vs. {right[0]} with {model}"
    return f"### COMPARISON\n{title}\n### PROMPT\n{prompt}\n### RESPONSE\n{response}\n### RESULT\n0\n"


def write_log(path: Path, *blocks: str) -> Path:
    """A log with these blocks."""
    path.write_text("".join(blocks), encoding="utf-8")
    return path
