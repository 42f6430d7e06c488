"""`clonetruth demo`: everything at once, on the embedded benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.report import DemoOptions

if TYPE_CHECKING:
    from clonetruth.store.results import Measurement


@verb_command(DemoOptions)
def demo(options: DemoOptions) -> None:
    """Run the demo, and print its numbers and where its pages are."""
    from clonetruth.report import run_demo

    with progress_bar() as progress:
        done = run_demo(options, progress=progress)
    facts = done.facts
    if options.json:
        show_json(facts)
        return
    show(
        [
            styled(f"{facts['pairs']:,}"),
            f" pairs of {facts['fragments']} fragments in {facts['functionalities']} functionalities, judged by "
            f"execution: {facts['clones']} clones, {facts['near_misses']} near misses.",
        ],
        [
            "In one language, clones have a median token similarity of ",
            styled(f"{facts['median_clone']:.2f}"),
            ", near misses of ",
            styled(f"{facts['median_near_miss']:.2f}"),
            ".",
        ],
        [
            f"“Clone if token similarity ≥ {options.threshold:g}” finds ",
            styled(facts["found"]),
            f" of {facts['clones_in_one_language']} clones; ",
            styled(facts["wrong_alarms"]),
            f" of the {facts['alarms']} pairs that it reports are not clones.",
        ],
    )
    for name, metrics in facts["detectors"].items():
        numbers = ", ".join(f"{metric} {_share(one)}" for metric, one in metrics.items())
        show(["As a detector on all pairs, ", styled(name), f" has {numbers}."])
    by_view = ", ".join(f"{view} {_share(one)}" for view, one in facts["views"].items() if one is not None)
    show(
        ["A learned detector, ", styled(facts["learner"]), f", has these F1 by view: {by_view}."],
        [
            "“clonetruth find” finds ",
            styled(facts["clone_classes"]),
            f" clone classes in its sources; in {facts['clone_classes_with_near_misses']} of them a member only looks "
            "like a copy.",
        ],
        ["An implementation and its near miss, run now. ", styled(facts["live"])],
    )
    show(
        f"On a part of TrueClones, {facts['trueclones_pairs']} pairs, clones and non-clones that look alike "
        "(“clonetruth benchmark” measures on all of it):"
    )
    for name, metrics in facts["trueclones"].items():
        auc, matched = metrics["roc-auc"], metrics["matched-accuracy"]
        show(["  ", styled(name), f" has a ROC AUC of {_share(auc)}, and ranks {_share(matched)} of the clones first."])
    show(
        f"All details of the detectors: {facts['evaluation']}",
        f"All details of the views: {facts['matrix']}",
        f"All clones: {facts['clones_page']}",
        f"Start here: {done.page}",
    )


def _share(one: Measurement) -> str:
    from clonetruth.html.numbers import percent, percent_interval

    interval = "" if one.low is None else f" ({percent_interval(one.low, one.high)})"
    return f"{percent(one.value)}{interval}"
