"""`fa-ast`: a graph matching network over trees with flow edges, after Wang et al. (“Detecting Code Clones with Graph
Neural Network and Flow-Augmented Abstract Syntax Tree”, SANER 2020). `docs/paper-models.md` says what the paper
leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from clonetruth.code import Language
from clonetruth.options.declaration import option
from clonetruth.training.fa_ast.graph import FlowGraph, flow_graph
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.neural import NetworkLearner
from clonetruth.training.neural.syntax_tree import frequent_words, syntax_tree

if TYPE_CHECKING:
    from clonetruth.training.fa_ast.network import MatchingNetwork

__all__ = ["FA_AST", "FaAstOptions"]


@dataclass(frozen=True, kw_only=True)
class FaAstOptions(LearnerOptions):
    """The options of `fa-ast`."""

    default_rate: ClassVar[float] = 0.001
    default_batch: ClassVar[int | None] = 32

    matching: bool = option(
        True,
        help="Nodes attend to those of the other fragment (graph matching network); otherwise a gated graph network.",
    )
    flow: bool = option(True, help="Add the edges of control and data flow to those of the tree.")
    vocabulary: int = option(50_000, minimum=1, help="Number of words that are known: the most frequent ones.")
    width: int = option(64, minimum=1, help="Width of a node's vector.")
    layers: int = option(3, minimum=1, help="Rounds in which nodes send messages.")
    nodes: int = option(300, minimum=10, help="Nodes of a tree that are read, those nearest to the root.")


def _extract(text: str, language: Language, *, own: FaAstOptions) -> FlowGraph | None:
    tree = syntax_tree(text, language, own.nodes)
    return None if tree is None else flow_graph(tree, flow=own.flow)


def _words(graphs: Sequence[FlowGraph], own: FaAstOptions) -> tuple[str, ...]:
    return frequent_words((graph.tree for graph in graphs), own.vocabulary)


def _load_network() -> Callable[[tuple[str, ...], Any], MatchingNetwork]:
    from clonetruth.training.fa_ast.network import MatchingNetwork

    return MatchingNetwork


FA_AST = NetworkLearner(
    "fa-ast",
    "Graph matching network over syntax trees with control and data flow, compared by cosine (Wang et al.'s FA-AST).",
    options_type=FaAstOptions,
    extract=_extract,
    words=_words,
    load_network=_load_network,
    paper_threshold=0.0,
)
