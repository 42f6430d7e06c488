"""Prompts of a generation: named templates, with what is expected of an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from clonetruth.code import language
from clonetruth.errors import InputError

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_KNOWN = {"code", "language", "targets", "count"}


class PromptGoal(StrEnum):
    """What a prompt asks for."""

    CLONE = "clone"
    TRANSLATION = "translation"
    DIFFERENT = "different"


@dataclass(frozen=True)
class GenerationPrompt:
    """A prompt of the stage `ask`.

    Attributes:
        name: its name in reports.
        text: the message, with `{code}` and optionally `{language}`, `{targets}` and `{count}`.
        wants: a `clone`, a `translation`, or something `different` in behaviour: a hard negative.
        count: number of functions that one answer should have.
        runs: how often it is asked about each seed.
        targets: the languages of a translation.
        seed_languages: only seeds in these languages (default: all).
        limit: only the first N seeds of each language (default: all).
        parameters: request parameters of this prompt, in addition to those of the stage.
    """

    name: str
    text: str
    wants: PromptGoal = PromptGoal.CLONE
    count: int = 1
    runs: int = 1
    targets: tuple[str, ...] = ()
    seed_languages: tuple[str, ...] = ()
    limit: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def message(self, code: str, seed_language: str) -> str:
        """The message about a seed. Braces within the code are left alone."""
        values = {
            "code": code.strip("\n"),
            "language": language(seed_language).title,
            "targets": ", ".join(language(one).title for one in self.targets),
            "count": str(self.count),
        }
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), self.text)

    def languages(self, seed_language: str) -> tuple[str, ...]:
        """The languages that an answer should have."""
        return tuple(language(one).name for one in self.targets) or (seed_language,)


def check_prompts(prompts: tuple[GenerationPrompt, ...]) -> None:
    """Refuse prompts that cannot be asked.

    Raises:
        InputError: the message says which and why.
    """
    if not prompts or len({one.name for one in prompts}) < len(prompts):
        raise InputError("A generation needs prompts, each with its own name.")
    for one in prompts:
        placeholders = set(_PLACEHOLDER.findall(one.text))
        if "code" not in placeholders:
            raise InputError(f"The prompt '{one.name}' lacks the placeholder {{code}}.")
        if unknown := placeholders - _KNOWN:
            raise InputError(
                f"The prompt '{one.name}' has an unknown placeholder {{{min(unknown)}}}.",
                hint=f"Known: {', '.join(sorted(_KNOWN))}.",
            )
        if one.count < 1 or one.runs < 1:
            raise InputError(f"count and runs of the prompt '{one.name}' must be at least 1.")
        if (one.wants is PromptGoal.TRANSLATION) != bool(one.targets):
            raise InputError(f"The prompt '{one.name}': a translation, and nothing else, has targets.")
        for name in (*one.targets, *one.seed_languages):
            language(name)
