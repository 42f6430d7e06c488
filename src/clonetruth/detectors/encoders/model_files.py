"""The folder of an encoder: which files are read, their digest, and what is refused.

Nothing in a model folder is executed: weights are safetensors or ONNX, never pickles, and Python files are ignored.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.parsing import parse_json

ONNX, TORCH = "onnx", "torch"
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle", "*.h5", "*.msgpack")
_TOKENIZERS = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
)
_SETTINGS = ("config.json", "1_Pooling/config.json")
_HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?")
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ModelFiles:
    """The files of an encoder.

    Attributes:
        folder: the folder.
        weights: the weights: one ONNX file, or safetensors files.
        backend: `onnx` or `torch`.
    """

    folder: Path
    weights: tuple[Path, ...]
    backend: str

    @classmethod
    def of(cls, folder: Path, *, backend: str | None = None, file: str | None = None) -> ModelFiles:
        """Choose the files of a folder.

        Args:
            folder: the folder.
            backend: `onnx` or `torch` (default: `onnx` if the folder has an ONNX file).
            file: the ONNX file, relative to the folder, where there are several.

        Raises:
            InputError: there are no weights that can be read safely, or it is not clear which to use.
        """
        exported = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
        if file is not None:
            chosen = folder / file
            if chosen not in exported:
                raise InputError(f"The folder has no ONNX file '{file}'.", where=folder, hint=_listed(folder, exported))
            exported = [chosen]
        weights = sorted(folder.glob("*.safetensors"))
        if backend is None:
            backend = ONNX if exported else TORCH
        if backend == ONNX:
            named = [one for one in exported if one.name == "model.onnx"]
            if len(exported) > 1 and not named:
                hint = f"Name one: file=NAME. {_listed(folder, exported)}"
                raise InputError("The folder has several ONNX files.", where=folder, hint=hint)
            weights = (named or exported)[:1]
        if not weights:
            raise _without_weights(folder, backend)
        files = cls(folder, tuple(weights), backend)
        if not files.tokenizer:
            raise InputError(
                "The folder has no tokenizer.", where=folder, hint="It needs tokenizer.json, vocab.txt or vocab.json."
            )
        return files

    @cached_property
    def tokenizer(self) -> tuple[Path, ...]:
        """The files of the tokenizer."""
        return tuple(path for name in _TOKENIZERS if (path := self.folder / name).is_file())

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """`config.json`; empty if there is none."""
        return _json(self.folder / _SETTINGS[0])

    @property
    def pooling(self) -> str | None:
        """The pooling that a sentence encoder's folder states; None if it states none."""
        stated = _json(self.folder / _SETTINGS[1])
        names = {"mean": "mean_tokens", "cls": "cls_token", "last": "lasttoken"}
        found = [short for short, name in names.items() if stated.get(f"pooling_mode_{name}") is True]
        return found[0] if len(found) == 1 else None

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the names and contents of all files that a vector depends on."""
        settings = [path for name in _SETTINGS if (path := self.folder / name).is_file()]
        external = [path for one in self.weights for path in one.parent.glob(f"{one.name}*") if path.is_file()]
        content = hashlib.sha256()
        for path in sorted({*self.weights, *external, *self.tokenizer, *settings}):
            own = hashlib.sha256()
            with path.open("rb") as file:
                while piece := file.read(_CHUNK):
                    own.update(piece)
            content.update(f"{path.relative_to(self.folder).as_posix()}\0{own.hexdigest()}\n".encode())
        return content.hexdigest()


def is_encoder_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder looks like that of an encoder: a tokenizer, and a configuration or an ONNX file."""
    folder = Path(path)
    described = (folder / _SETTINGS[0]).is_file() or any(folder.glob("*.onnx")) or any(folder.glob("onnx/*.onnx"))
    return described and any((folder / name).is_file() for name in _TOKENIZERS)


def model_folder(name: str, *, revision: str | None = None) -> Path:
    """The folder of a model: a local one, or a copy of one on the Hugging Face hub.

    Args:
        name: a folder, or the name of a model on the hub.
        revision: the commit or tag on the hub.

    Raises:
        InputError: there is no such folder, and no such model on the hub, or the hub cannot be reached.
        MissingExtraError: the client of the hub is not installed.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        return path
    if path.exists() or not _HUB_NAME.fullmatch(name):
        raise InputError("Not a folder of an encoder.", where=name)
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError as error:
        raise MissingExtraError.extra(f"'{name}' is not a folder; a model of the hub", "encoders") from error
    try:
        permitted = ["*.json", "*.txt", "*.model", "*.safetensors"]
        return Path(snapshot_download(name, revision=revision, allow_patterns=permitted))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().split("\n", 1)[0]
        raise InputError(
            f"Neither a folder, nor a model that the Hugging Face hub gives: {reason}",
            where=name,
            hint="Check the name and the network, or give a folder with the encoder's files.",
        ) from error


def _without_weights(folder: Path, backend: str) -> InputError:
    pickles = [path for pattern in _PICKLES for path in sorted(folder.glob(pattern))]
    if pickles:
        return InputError(
            f"The weights in '{pickles[0].name}' are in a format that can run code when it is opened.",
            where=folder,
            hint="Convert them to model.safetensors where you trust them (docs/encoders.md).",
        )
    wanted = "an .onnx file" if backend == ONNX else "model.safetensors or an .onnx file"
    return InputError(f"Not a folder of an encoder: {wanted} is missing.", where=folder)


def _listed(folder: Path, files: list[Path]) -> str:
    return f"It has: {', '.join(path.relative_to(folder).as_posix() for path in files) or 'none'}."


def _json(path: Path) -> Mapping[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = parse_json(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"The file cannot be read: {error}", where=path) from error
    if not isinstance(found, dict):
        raise InputError("Not a JSON object.", where=path)
    return found
