"""`tbccd`: tree-based convolution, after Yu et al. (“Neural Detection of Semantic Code Clones via Tree-Based
Convolution”, ICPC 2019). `docs/paper-models.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from clonetruth.code import Language
from clonetruth.options.declaration import option
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.neural import NetworkLearner
from clonetruth.training.neural.syntax_tree import SyntaxTree, frequent_words, syntax_tree

if TYPE_CHECKING:
    from clonetruth.training.tbccd.network import ConvolutionNetwork

__all__ = ["TBCCD", "TbccdOptions"]


@dataclass(frozen=True, kw_only=True)
class TbccdOptions(LearnerOptions):
    """The options of `tbccd`."""

    default_rate: ClassVar[float] = 0.001
    default_batch: ClassVar[int | None] = 64

    pace: bool = option(
        True, help="Words are position-weighted sums of their characters, so that unseen ones have vectors, too."
    )
    vocabulary: int = option(50_000, minimum=1, help="Number of words that are known, without pace.")
    embedding: int = option(100, minimum=1, help="Width of a word's vector.")
    convolution: int = option(300, minimum=1, help="Number of features of the convolution.")
    hidden: int = option(100, minimum=1, help="Width of a fragment's vector.")
    nodes: int = option(5000, minimum=10, help="Nodes of a tree that are read, those nearest to the root.")


def _extract(text: str, language: Language, *, own: TbccdOptions) -> SyntaxTree | None:
    return syntax_tree(text, language, own.nodes)


def _words(trees: Sequence[SyntaxTree], own: TbccdOptions) -> tuple[str, ...]:
    if not own.pace:
        return frequent_words(trees, own.vocabulary)
    # With pace, only the types of inner nodes are learned words.
    return tuple(
        sorted({label for tree in trees for label, leaf in zip(tree.labels, tree.leaves, strict=True) if not leaf})
    )


def _load_network() -> Callable[[tuple[str, ...], Any], ConvolutionNetwork]:
    from clonetruth.training.tbccd.network import ConvolutionNetwork

    return ConvolutionNetwork


TBCCD = NetworkLearner(
    "tbccd",
    "Convolution over syntax trees whose words are sums of their characters, compared by cosine (Yu et al.'s TBCCD).",
    options_type=TbccdOptions,
    extract=_extract,
    words=_words,
    load_network=_load_network,
    paper_threshold=0.0,
)
