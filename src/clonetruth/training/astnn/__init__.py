"""`astnn`: a sequence of statement trees, after Zhang et al. (“A Novel Neural Source Code Representation based on
Abstract Syntax Tree”, ICSE 2019). `docs/paper-models.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from clonetruth.code import Language
from clonetruth.options.declaration import option
from clonetruth.training.astnn.statements import END
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.neural import NetworkLearner
from clonetruth.training.neural.syntax_tree import SyntaxTree, frequent_words, syntax_tree

if TYPE_CHECKING:
    from clonetruth.training.astnn.network import StatementNetwork

__all__ = ["ASTNN", "AstnnOptions"]


@dataclass(frozen=True, kw_only=True)
class AstnnOptions(LearnerOptions):
    """The options of `astnn`."""

    default_rate: ClassVar[float] = 0.002
    default_batch: ClassVar[int | None] = 64

    vocabulary: int = option(3000, minimum=1, help="Number of words that are known: the most frequent ones.")
    embedding: int = option(128, minimum=1, help="Width of a word's vector.")
    encoder: int = option(100, minimum=1, help="Width of a statement's vector.")
    hidden: int = option(100, minimum=1, help="Width of each direction of the recurrent layer.")
    ends: bool = option(False, help="Mark where the statements inside a statement end, as the authors' program does.")
    pretrain: bool = option(True, help="Start from vectors of co-occurring words of the training part.")
    nodes: int = option(5000, minimum=10, help="Nodes of a tree that are read, those nearest to the root.")
    statements: int = option(300, minimum=1, help="Statements of a fragment that are read, from the start.")


def _extract(text: str, language: Language, *, own: AstnnOptions) -> SyntaxTree | None:
    return syntax_tree(text, language, own.nodes)


def _words(trees: Sequence[SyntaxTree], own: AstnnOptions) -> tuple[str, ...]:
    words = frequent_words(trees, own.vocabulary)
    return (*words, END) if own.ends else words


def _load_network() -> Callable[[tuple[str, ...], Any], StatementNetwork]:
    from clonetruth.training.astnn.network import StatementNetwork

    return StatementNetwork


ASTNN = NetworkLearner(
    "astnn",
    "Statement trees, encoded by sums and a bidirectional GRU, compared by their difference (Zhang et al.'s ASTNN).",
    options_type=AstnnOptions,
    extract=_extract,
    words=_words,
    load_network=_load_network,
    paper_threshold=0.5,
)
