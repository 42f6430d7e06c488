"""Encoders for tests: one of random weights made on the spot, and a real one where the environment names its folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

REAL_ENCODER = "CLONETRUTH_TEST_ENCODER"
"""The environment variable that names the folder of a real encoder."""
WORDS = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] int for while return if else x y z a b c sum max + - * / = < > ( ) { } ; , . 0 1"
)


def tiny_encoder(folder: Path, *, seed: int = 0, positions: int = 64) -> Path:
    """A BERT of two layers with random weights and a vocabulary of some tokens of code."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    folder.mkdir(parents=True)
    letters = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789_"]
    words = [*WORDS.split(), *letters, *(one.removeprefix("##") for one in letters)]
    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(words))}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    marks = [(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=marks
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
        initializer_range=0.5,
    )
    torch.manual_seed(seed)
    transformers.BertModel(config).save_pretrained(folder)
    (folder / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[CLS]", "sep_token": "[SEP]"}),
        encoding="utf-8",
    )
    return folder


def real_encoder() -> Path:
    """The folder of a real encoder; skips the test without one."""
    named = os.environ.get(REAL_ENCODER)
    if not named or not Path(named).is_dir():
        pytest.skip(f"no real encoder: {REAL_ENCODER} does not name a folder (docs/encoders.md)")
    return Path(named)
