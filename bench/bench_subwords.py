"""The estimate of subwords against a real tokeniser: ``python -m bench.bench_subwords VOCABULARY MERGES ZIP``.

VOCABULARY and MERGES are the `vocab.json` and `merges.txt` of RoBERTa, CodeBERT or GPT-2, which share them, and ZIP is
`functions.zip`; the package `tokenizers` is required. White space is joined, as CodeXGLUE's loader does. Prints the
share of functions above a window of 400 by the tokeniser, by the estimate that audit rule CT208 uses and by the
language's lexer, and how often the first two agree.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from tokenizers import ByteLevelBPETokenizer

from bench.bench_similarity import read_functions
from bench.measurement import machine
from clonetruth.code import language, lexed_tokens, subword_estimate

WINDOW = 400


def main(vocabulary: str, merges: str, functions: str) -> None:
    """Print the comparison."""
    tokenizer = ByteLevelBPETokenizer(vocabulary, merges)
    texts = read_functions(Path(functions))
    exact = np.array([len(tokenizer.encode(" ".join(text.split())).ids) for text in texts])
    as_is = np.array([len(tokenizer.encode(text).ids) for text in texts])
    estimate = np.array([subword_estimate(text) for text in texts])
    lexed = np.array([len(list(lexed_tokens(text, language("java")))) for text in texts])
    print(machine())
    print(f"functions: {len(texts):,}")
    for name, counts in (("tokeniser", exact), ("without joining", as_is), ("estimate", estimate), ("lexer", lexed)):
        print(f"{name}: {np.mean(counts > WINDOW):.1%} above {WINDOW}")
    low, middle, high = np.percentile(estimate / exact, [5, 50, 95])
    print(f"estimate ÷ tokeniser: median {middle:.3f}, 5 % to 95 % {low:.3f} to {high:.3f}")
    print(f"same side of {WINDOW}: {np.mean((exact > WINDOW) == (estimate > WINDOW)):.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
