"""Pretrained encoders, fine-tuned on pairs: the network, in PyTorch and `transformers`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from clonetruth.detectors.encoders.model_files import ModelFiles, model_folder
from clonetruth.detectors.encoders.torch_model import load_module, quiet_library
from clonetruth.errors import InputError
from clonetruth.parsing import parse_json
from clonetruth.training.neural.learner import ReadPart
from clonetruth.training.neural.network import VectorNetwork
from clonetruth.training.trainer import Integers
from clonetruth.training.transformer.inputs import EncodedFragment, FragmentEncoder
from clonetruth.training.transformer.options import TransformerOptions

_BLOCKED = -1e9
"""Added to the attention between tokens that must not see each other."""


class TransformerNetwork(VectorNetwork):
    """An encoder and a head that compares the vectors of two fragments.

    Args:
        words: the configuration of the encoder and its tokenizer, as JSON.
        own: the options of the learner.
    """

    def __init__(self, words: tuple[str, ...], own: TransformerOptions) -> None:
        super().__init__()
        from transformers import AutoConfig, AutoModel

        try:
            config, tokenizer = words
            said: dict[str, Any] = dict(parse_json(config))
        except (TypeError, ValueError) as error:
            raise InputError(f"The model's description is damaged: {error}", hint="Train it again.") from error
        self._own = own
        self.reader = FragmentEncoder(said, tokenizer, own.length, own.variables)
        try:
            kind = str(said.pop("model_type", ""))
            with quiet_library():
                self.encoder: Any = AutoModel.from_config(
                    AutoConfig.for_model(kind, **said), attn_implementation="eager", trust_remote_code=False
                )
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"The installed library does not know the model: {error}") from error
        if getattr(self.encoder.config, "is_encoder_decoder", False):
            self.encoder = self.encoder.get_encoder()
        if getattr(self.encoder, "pooler", None) is not None:
            self.encoder.pooler = None
        width = int(self.encoder.config.hidden_size)
        dropout = float(getattr(self.encoder.config, "hidden_dropout_prob", 0.1))
        self.head = nn.Sequential(
            nn.Dropout(dropout), nn.Linear(2 * width, width), nn.Tanh(), nn.Dropout(dropout), nn.Linear(width, 1)
        )
        if own.head == "cosine":
            self.head = nn.Sequential()

    def prepare(self, training: ReadPart) -> None:
        """See `PairNetwork.prepare`: take the pretrained weights."""
        files = ModelFiles.of(model_folder(self._own.encoder), backend="torch")
        pretrained = load_module(files).state_dict()
        missing, _ = self.encoder.load_state_dict(pretrained, strict=False)
        if missing:
            raise InputError(f"The weights of the encoder lack '{missing[0]}'.", where=files.folder)

    def encode(self, readings: Sequence[Any]) -> list[EncodedFragment | None]:
        """See `PairNetwork.encode`."""
        return [None if one is None else self.reader.encode(one) for one in readings]

    def vectors(self, encoded: Any, rows: Integers) -> Tensor:
        """See `VectorNetwork.vectors`: the mean over a fragment's windows."""
        fragments: list[EncodedFragment] = [encoded[row] for row in rows.tolist()]
        owner = [at for at, one in enumerate(fragments) for _ in one.windows]
        windows = [(one, window) for one in fragments for window in one.windows]
        # Without padding a vector does not depend on the other fragments; training pads, which is faster.
        step = len(windows) if self.training else 1
        found = torch.cat([self._window_vectors(windows[at : at + step]) for at in range(0, len(windows), step)])
        sums = found.new_zeros(len(fragments), found.shape[1])
        sums = sums.index_add(0, self.tensor(np.array(owner)), found)
        return sums / self.tensor(np.array([[len(one.windows)] for one in fragments]))

    def compare(self, one: Tensor, other: Tensor) -> Tensor:
        """See `VectorNetwork.compare`: the mean of both orders, or the cosine."""
        if self._own.head == "cosine":
            return (functional.normalize(one) * functional.normalize(other)).sum(dim=1)
        both: Tensor = self.head(torch.cat([one, other], dim=1)) + self.head(torch.cat([other, one], dim=1))
        return both[:, 0] / 2

    def loss(self, outputs: Tensor, truth: Tensor) -> Tensor:
        """See `PairNetwork.loss`."""
        if self._own.head == "cosine":
            return functional.mse_loss(outputs, 2 * truth - 1)
        return functional.binary_cross_entropy_with_logits(outputs, truth)

    def as_scores(self, outputs: Tensor) -> Tensor:
        """See `PairNetwork.as_scores`."""
        return outputs.clamp(-1, 1) if self._own.head == "cosine" else torch.sigmoid(outputs)

    def _window_vectors(self, windows: Sequence[tuple[EncodedFragment, tuple[int, ...]]]) -> Tensor:
        sizes = [len(window) for _, window in windows]
        width = max(sizes)
        ids = np.zeros((len(windows), width), np.int64)
        for row, (_, window) in enumerate(windows):
            ids[row, : len(window)] = window
        mask = self.tensor((np.arange(width) < np.array(sizes)[:, None]).astype(np.int64))
        tokens = self.tensor(ids)
        if self._own.variables:
            states = self._with_data_flow([one for one, _ in windows], tokens, sizes)
        else:
            states = self.encoder(input_ids=tokens, attention_mask=mask).last_hidden_state
        if self._own.pooling == "cls":
            first: Tensor = states[:, 0]
            return first
        weights = mask[:, :, None].to(states.dtype)
        mean: Tensor = (states[:, :width] * weights).sum(dim=1) / weights.sum(dim=1)
        return mean

    def _with_data_flow(self, fragments: Sequence[EncodedFragment], tokens: Tensor, sizes: Sequence[int]) -> Tensor:
        """The states of the tokens, with the variables as further tokens that see their own tokens and sources only.

        As in GraphCodeBERT: a variable starts from the mean of its tokens' embeddings, at position 0.
        """
        width, most = tokens.shape[1], max(len(one.nodes) for one in fragments)
        embedded = self.encoder.get_input_embeddings()(tokens)
        sees = np.stack([attention(one, size, width, most) for one, size in zip(fragments, sizes, strict=True)])
        shares = np.zeros((len(fragments), most, width), np.float32)
        for row, one in enumerate(fragments):
            for node, own in enumerate(one.nodes):
                shares[row, node, list(own)] = 1 / len(own)
        variables = self.tensor(shares).to(embedded.dtype) @ embedded
        whole = torch.cat([embedded, variables], dim=1)
        offset = self._first_position()
        places = self.tensor(np.concatenate([np.arange(width) + offset, np.zeros(most, np.int64)]))
        blocked = self.tensor(np.where(sees, np.float32(0), np.float32(_BLOCKED)))[:, None]
        found: Tensor = self.encoder(
            inputs_embeds=whole,
            attention_mask=blocked.to(whole.dtype),
            position_ids=places.expand(len(fragments), -1),
        ).last_hidden_state
        return found[:, :width]

    def _first_position(self) -> int:
        """The position of the first token: RoBERTa counts from after the padding's id."""
        config = self.encoder.config
        padding = 1 if config.pad_token_id is None else int(config.pad_token_id)
        return padding + 1 if config.model_type == "roberta" else 0


def attention(fragment: EncodedFragment, size: int, width: int, most: int) -> npt.NDArray[np.bool_]:
    """What each position sees (a row) in GraphCodeBERT: `width` tokens, `size` of them real, then `most` variables.

    A token sees all tokens and the variables that it is part of; those that begin and end the text see all variables.
    A variable sees its own tokens and the variables that its value comes from, and nothing else.
    """
    sees = np.zeros((width + most, width + most), bool)
    sees[:size, :size] = True
    for node, own in enumerate(fragment.nodes):
        sees[width + node, list(own)] = sees[list(own), width + node] = True
        sees[[0, size - 1], width + node] = True
    for node, source in fragment.edges:
        sees[width + node, width + source] = True
    # A row that sees nothing (padding) would divide by zero.
    blind = ~sees.any(axis=1)
    sees[blind, blind] = True
    return sees
