"""What a transformer reads of a fragment: windows of subword tokens, or one window with its data flow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.detectors.encoders.model_files import ModelFiles
from clonetruth.detectors.encoders.subwords import load_tokenizer, longest_input
from clonetruth.errors import InputError
from clonetruth.training.transformer.data_flow import DataFlow

_ENCODER_ONLY = "<encoder-only>"
"""UniXcoder's mark for texts that are encoded, not continued."""


@dataclass(frozen=True)
class CodeReading:
    """What is kept of a fragment until its tokens are known: the text, and its data flow if it is used."""

    text: str
    flow: DataFlow | None = None


@dataclass(frozen=True)
class EncodedFragment:
    """A fragment as the network takes it.

    Attributes:
        windows: the tokens of each window, special tokens included.
        tokens: the number of subword tokens before truncation, special tokens included.
        nodes: for each variable, the positions of its tokens in the only window.
        edges: pairs of variables, by their number: the second is where the first one's value comes from.
    """

    windows: tuple[tuple[int, ...], ...]
    tokens: int
    nodes: tuple[tuple[int, ...], ...] = ()
    edges: tuple[tuple[int, int], ...] = ()


def model_description(files: ModelFiles) -> tuple[str, str]:
    """What a trained detector keeps of an encoder's folder besides the weights: its configuration and tokenizer."""
    if not files.config:
        raise InputError("config.json is missing.", where=files.folder)
    tokenizer: str = load_tokenizer(files).to_str()
    return json.dumps(files.config, sort_keys=True), tokenizer


class FragmentEncoder:
    """Turns fragments into tokens.

    Args:
        config: the configuration of the model.
        tokenizer: the tokenizer, as JSON.
        length: the number of subword tokens of a fragment that are read, special tokens included.
        flow: the number of variables of the data flow that are read; 0 for none.

    Raises:
        InputError: the tokenizer is damaged, or the length is not possible.
    """

    def __init__(self, config: Mapping[str, Any], tokenizer: str, length: int, flow: int) -> None:
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_str(tokenizer)
        except Exception as error:  # the library raises plain exceptions
            raise InputError(f"The tokenizer of the model is damaged: {error}", hint="Train it again.") from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        special = self._tokenizer.encode("").ids
        if len(special) < 2:
            raise InputError("The tokenizer adds no special tokens, so that there is no token to classify by.")
        self._suffix = tuple(special[-1:])
        mark = self._tokenizer.token_to_id(_ENCODER_ONLY)
        self._prefix = tuple(special[:1]) if mark is None else (special[0], mark, special[-1])
        self._around = len(self._prefix) + len(self._suffix)
        self._body = length - self._around
        window = longest_input(config)
        self._window = self._body if window is None else min(self._body, window - self._around)
        self._flow = flow
        if self._window < 1:
            raise InputError(f"A length of {length} is too short for any code.", where="length")
        if flow and self._body > self._window:
            raise InputError(
                f"With a data flow, the length is at most {self._window + self._around}.",
                where="length",
                hint="A graph cannot be cut into windows.",
            )

    def encode(self, reading: CodeReading) -> EncodedFragment:
        """The tokens of a fragment."""
        encoding = self._tokenizer.encode(
            reading.text.encode("utf-8", errors="replace").decode(), add_special_tokens=False
        )
        body: Sequence[int] = encoding.ids[: self._body]
        parts = [body[first : first + self._window] for first in range(0, max(len(body), 1), self._window)]
        windows = tuple((*self._prefix, *part, *self._suffix) for part in parts)
        tokens = len(encoding.ids) + self._around
        if not self._flow or reading.flow is None:
            return EncodedFragment(windows, tokens)
        offsets = encoding.offsets[: len(body)]
        return EncodedFragment(windows, tokens, *self._graph(reading.flow, offsets))

    def _graph(
        self, flow: DataFlow, offsets: Sequence[tuple[int, int]]
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, int], ...]]:
        """The variables whose tokens are read, up to the limit, and the edges among them."""
        nodes: list[tuple[int, ...]] = []
        number: dict[int, int] = {}
        at = 0
        for variable, (start, end) in enumerate(flow.spans):
            while at < len(offsets) and offsets[at][1] <= start:
                at += 1
            own = []
            for token in range(at, len(offsets)):
                if offsets[token][0] >= end:
                    break
                own.append(len(self._prefix) + token)
            if own and len(nodes) < self._flow:
                number[variable] = len(nodes)
                nodes.append(tuple(own))
        edges = [
            (number[one], number[other])
            for one, sources in enumerate(flow.sources)
            for other in sources
            if one in number and other in number
        ]
        return tuple(nodes), tuple(edges)
