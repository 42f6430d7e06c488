"""`clonecognition`: is a reported clone a true one? After Mostaeen et al. (“CloneCognition: Machine Learning Based Code
Clone Validation Tool”, ESEC/FSE 2019). `docs/paper-models.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from clonetruth.code import Language
from clonetruth.code.forms import Form, form_lines
from clonetruth.options.declaration import option
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.metric_models.measured import no_words
from clonetruth.training.neural import NetworkLearner

if TYPE_CHECKING:
    from clonetruth.training.metric_models.network import AgreementNetwork


@dataclass(frozen=True, kw_only=True)
class CloneCognitionOptions(LearnerOptions):
    """The options of `clonecognition`."""

    default_rate: ClassVar[float] = 0.01
    default_batch: ClassVar[int | None] = 64

    hidden: int = option(20, minimum=1, help="Width of the hidden layer.")


FormCounts = tuple[Mapping[bytes, int], ...]
"""How often each line and each token occurs in a fragment, in three normal forms."""


def _extract(text: str, language: Language, *, own: CloneCognitionOptions) -> FormCounts | None:
    found: list[Mapping[bytes, int]] = []
    for form in Form:
        lines = form_lines(text, language, form)
        found += [dict(Counter(lines)), dict(Counter(token for line in lines for token in line.split(b" ")))]
    return tuple(found) if found[0] else None


def agreement(one: FormCounts, other: FormCounts) -> tuple[float, ...]:
    """The share of lines and of tokens that two fragments have in common, in each form."""
    return tuple(_shared(a, b) for a, b in zip(one, other, strict=True))


def _shared(one: Mapping[bytes, int], other: Mapping[bytes, int]) -> float:
    common = sum(min(count, other.get(item, 0)) for item, count in one.items())
    return 2 * common / (sum(one.values()) + sum(other.values()))


def _load_network() -> Callable[[tuple[str, ...], Any], AgreementNetwork]:
    from clonetruth.training.metric_models.network import AgreementNetwork

    return AgreementNetwork


CLONECOGNITION = NetworkLearner(
    "clonecognition",
    "Is a reported clone a true one? A network over common lines and tokens in three normal forms (Mostaeen et al.).",
    options_type=CloneCognitionOptions,
    extract=_extract,
    words=no_words,
    load_network=_load_network,
    paper_threshold=0.5,
)
