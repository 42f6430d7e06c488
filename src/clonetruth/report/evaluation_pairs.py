"""What a detector that scores or decides pairs reaches: all metrics, the confusion, and curves."""

from __future__ import annotations

from clonetruth.html.blocks import Content, Figure, figures, note
from clonetruth.html.numbers import is_known
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, PlottedCurve, confusion_matrix, line_chart
from clonetruth.report.evaluation_measures import Metric, estimate, in_words, metric_figure, metric_table
from clonetruth.store import results
from clonetruth.store.results import Measurement, Result, ResultKind

_CURVES = {
    "roc": "ROC curve",
    "precision-recall": "Precision and recall",
    "reliability": "Reliability",
}


def metric_sections(result: Result) -> list[Section]:
    """All numbers of the headline with their intervals; the confusion matrix where they determine it."""
    if not result.headline:
        return []
    pictures = [*_confusion(result), *_macro(result)]
    blocks: list[Content] = [figures(pictures)] if pictures else []
    blocks.append(metric_table(result.headline, f"All numbers of {result.detector}"))
    return [Section("All numbers", blocks, anchor="numbers")]


def curve_sections(result: Result) -> list[Section]:
    """The curves of a detector that scores."""
    pictures = [_curve(one, result) for one in result.curves if one.points]
    notes = [note(one.note) for one in result.curves if one.points and one.note]
    return [Section("Curves", [figures(pictures), *notes], anchor="curves")] if pictures else []


def _confusion(result: Result) -> list[Figure]:
    """The four counts follow from the numerators and denominators of three shares."""
    if result.kind is not ResultKind.PAIRS:
        return []
    counts = [_counts(result.measurement(name)) for name in ("recall", "precision", "specificity")]
    recall, precision, specificity = counts
    if recall is None or precision is None or specificity is None:
        return []
    tp, fn = recall
    tn, fp = specificity
    if precision != (tp, fp):
        return []
    labels = Labels("Verdicts and predictions")
    caption = "Rows are what the verdict says, columns what the detector says; shares are of the row."
    return [Figure(confusion_matrix((tp, fp, fn, tn), labels), caption)]


def _counts(one: Measurement | None) -> tuple[int, int] | None:
    """The numerator of a share and the rest of its denominator; None where they are not whole or not told."""
    if one is None or one.successes is None or one.n is None or not float(one.successes).is_integer():
        return None
    part = int(one.successes)
    return (part, one.n - part) if 0 <= part <= one.n else None


def _macro(result: Result) -> list[Figure]:
    """Over all pairs, and over functionalities: one functionality can be half of all pairs."""
    pictures = []
    for macro in result.headline:
        micro = result.measurement(macro.name.removeprefix("macro-"))
        if macro.name.startswith("macro-") and micro is not None and is_known(macro.value):
            metric = Metric(micro.name)
            rows = [estimate("all pairs alike (micro)", micro), estimate("all groups alike (macro)", macro, series=1)]
            title = f"{metric.sentence}, micro and macro"
            pictures.append(metric_figure(metric, rows, title, f"{title}."))
    return pictures


def _curve(curve: results.Curve, result: Result) -> Figure:
    title = _CURVES.get(curve.name, curve.name.replace("-", " "))
    curves = [PlottedCurve(result.detector, curve.points), *_reference(curve.name, result)]
    is_unit = all(0 <= x <= 1 and 0 <= y <= 1 for x, y in curve.points)
    span = (0.0, 1.0) if is_unit else None
    picture = line_chart(curves, Labels(title, x=curve.x, y=curve.y), x_span=span, y_span=span)
    return Figure(picture, f"{title}{_beside(curve.name, result)}.")


def _reference(name: str, result: Result) -> list[PlottedCurve]:
    """What a curve is to be compared with."""
    if name == "roc":
        return [PlottedCurve("chance", [(0, 0), (1, 1)])]
    if name == "reliability":
        return [PlottedCurve("perfectly calibrated", [(0, 0), (1, 1)])]
    clones = _counts(result.measurement("recall"))
    if name == "precision-recall" and clones is not None and result.policy.counted:
        share = sum(clones) / result.policy.counted
        return [PlottedCurve("chance", [(0, share), (1, share)])]
    return []


def _beside(name: str, result: Result) -> str:
    """The number that sums a curve up."""
    metric = {"roc": "roc-auc", "precision-recall": "average-precision", "reliability": "ece"}.get(name, "")
    one = result.measurement(metric)
    return f": {Metric(metric).title} {in_words(one, result)}" if one is not None and is_known(one.value) else ""
