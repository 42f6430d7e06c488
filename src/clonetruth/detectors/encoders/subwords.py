"""Subword tokens: counted in full, and cut at the length that the model reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clonetruth.detectors.encoders.model_files import ModelFiles
from clonetruth.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_LENGTH = 512
"""The length where a model folder states none."""
_OFFSET_POSITIONS = ("roberta", "camembert", "xlm-roberta", "longformer", "mpnet", "deberta")
"""Models whose positions start after the padding token's id."""


@dataclass(frozen=True)
class SubwordText:
    """A text as a model reads it.

    Attributes:
        ids: the subword tokens, special tokens included, cut at the model's length.
        tokens: the number of tokens before the cut.
    """

    ids: Sequence[int]
    tokens: int


class SubwordTokenizer:
    """Cuts texts into subword tokens.

    Args:
        files: the model folder.
        length: the number of tokens that are read, special tokens included.

    Raises:
        InputError: the tokenizer cannot be read.
        MissingExtraError: the tokenizer's packages are not installed.
    """

    def __init__(self, files: ModelFiles, length: int) -> None:
        # Each has its own settings, so one is needed to count and one to cut.
        self._whole, self._cut = load_tokenizer(files), load_tokenizer(files)
        for one in (self._whole, self._cut):
            one.no_padding()
        self._whole.no_truncation()
        self._cut.enable_truncation(length)
        self.length = length

    def read(self, text: str) -> SubwordText:
        """The tokens of a text."""
        whole = self._whole.encode(_encodable(text)).ids
        ids = whole if len(whole) <= self.length else self._cut.encode(_encodable(text)).ids
        return SubwordText(ids, len(whole))


def load_tokenizer(files: ModelFiles) -> Tokenizer:
    """The tokenizer of a model folder, without code of the folder.

    Raises:
        InputError: it cannot be read.
        MissingExtraError: its packages are not installed.
    """
    whole = files.folder / "tokenizer.json"
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError.extra("An encoder", "encoders") from error
    try:
        return Tokenizer.from_file(str(whole)) if whole.is_file() else _converted(files.folder)
    except (MissingExtraError, MemoryError):
        raise
    except Exception as error:  # the library raises plain exceptions
        raise InputError(f"The tokenizer cannot be read: {error}", where=files.folder) from error


def _converted(folder: Path) -> Any:
    """A tokenizer from the older files of a vocabulary."""
    try:
        from transformers import AutoTokenizer
    except ImportError as error:
        raise MissingExtraError.extra("A tokenizer without tokenizer.json", "encoders") from error
    loaded = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    return loaded.backend_tokenizer


def longest_input(config: Mapping[str, Any]) -> int | None:
    """The number of tokens that a model can read, by its `config.json`; None if it has no limit or states none."""
    positions = config.get("max_position_embeddings")
    if type(positions) is not int or positions < 1:
        return None
    if config.get("model_type") in _OFFSET_POSITIONS:
        padding = config.get("pad_token_id")
        positions -= (padding if type(padding) is int else 1) + 1
    return positions


def input_length(config: Mapping[str, Any], wanted: int | None, where: object) -> int:
    """The number of tokens to read: the wanted number, or as many as the model can, up to `DEFAULT_LENGTH`.

    Raises:
        InputError: the model cannot read that number of tokens.
    """
    possible = longest_input(config)
    if wanted is None:
        return min(possible or DEFAULT_LENGTH, DEFAULT_LENGTH)
    if wanted < 3 or (possible is not None and wanted > possible):
        raise InputError(
            f"The model cannot read {wanted:,} tokens.",
            where=where,
            hint=f"Choose a length from 3 to {possible:,}." if possible else "Choose a length of at least 3.",
        )
    return wanted


def _encodable(text: str) -> str:
    """The text without lone surrogates, which no tokenizer accepts."""
    return text.encode("utf-8", errors="replace").decode()
