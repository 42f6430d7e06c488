"""Recall of a tool that reports locations: by clone type, by scope and by similarity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clonetruth.html.blocks import Callout, Content, Figure, figures, note
from clonetruth.html.numbers import percent
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, PlottedCurve, Series, bar_chart, line_chart
from clonetruth.html.tables import Cell, Column, Table
from clonetruth.report.evaluation_measures import (
    SYNTACTIC,
    TYPES,
    Breakdown,
    CountedShare,
    Counts,
    Metric,
    Shares,
    estimate,
    measurement_callout,
    metric_figure,
    recall_counts,
    similarity_span,
)
from clonetruth.store.results import Measurement, Result, Stratum

_BEHAVIOURS = {"repaired": "BigCloneEval repaired", "as-shipped": "BigCloneEval as shipped"}
_SCOPES = {"inter": "between projects", "intra": "within a project"}
_COUNTED = ("clone type", "similarity")
"""Strata that the sections of this module show, from the counts."""

_Part = Callable[[Breakdown], Mapping[str, Shares]]
_Points = Callable[[Shares], list[tuple[float, float | None]]]


def syntactic_callout(result: Result) -> Callout | None:
    """The recall over Type-1 to Type-3, and the share of pairs that have these types."""
    some, everything = (result.measurement(name) for name in (SYNTACTIC, "recall"))
    if some is None:
        return None
    shown = measurement_callout(some, result)
    if everything is None or not everything.n or some.n is None:
        return shown
    share = f"{percent(some.n / everything.n, 1)} of the pairs have these types"
    return Callout(shown.number, shown.label, "; ".join(part for part in (shown.note, share) if part))


def recall_sections(result: Result) -> list[Section]:
    """Sections on recall by type and similarity, if the result has counts."""
    counts = recall_counts(result)
    if not counts:
        return []
    sections = []
    if counts[0].overall.types.get("all"):
        sections.append(Section("Recall by clone type", _types(result, counts), anchor="types"))
    if counts[0].overall.regions.get("all"):
        sections.append(Section("Recall by similarity", _similarity(counts), anchor="similarity"))
    return sections


def uncounted_strata(result: Result) -> list[Stratum]:
    """The strata that the sections on recall do not show."""
    return [one for one in result.strata if not result.recall or one.by not in _COUNTED]


def _types(result: Result, counts: Sequence[Counts]) -> list[Content]:
    main, *others = _differing(counts, _by_type)
    shares = main.overall.types["all"]
    before = others[0].overall.types.get("all", {}) if others else {}
    rows = []
    for name in (name for name in TYPES if name in shares):
        # The headline has the same number with its interval.
        measured = result.measurement(f"recall-{name}") or Measurement("recall", shares[name].recall)
        rows.append(estimate(TYPES[name], measured, before=before[name].recall if name in before else None))
    caption = "Recall by clone type, from the most similar (top) to the least similar."
    if others:
        caption += f" Square: {_behaviour(main)}; circle: {_behaviour(others[0])}."
    pictures = [metric_figure(Metric("recall"), rows, "Recall by clone type", caption), *_scopes(main)]
    return [figures(pictures), _type_table([main, *others]), note(_behaviour_note(counts, bool(others)))]


def _scopes(counts: Counts) -> list[Figure]:
    types = counts.overall.types
    if not all(scope in types for scope in _SCOPES):
        return []
    names = [name for name in TYPES if name in types["inter"] and name in types["intra"]]
    series = [Series(words, [_percent(types[scope][name]) for name in names]) for scope, words in _SCOPES.items()]
    picture = bar_chart([TYPES[name] for name in names], series, Labels("Recall by scope", x="recall, percent"))
    return [Figure(picture, "Clones between two projects and within one project.")]


def _type_table(shown: Sequence[Counts]) -> Table:
    totals = shown[0].overall.types["all"]
    names = [name for name in TYPES if name in totals]
    columns: list[tuple[Column, Sequence[Cell]]] = [
        (Column("clone type"), [TYPES[name] for name in names]),
        (Column("known clones", "count"), [totals[name].total for name in names]),
    ]
    for one in shown:
        behaviour = f", {one.behaviour}" if len(shown) > 1 else ""
        shares = [one.overall.types.get("all", {}).get(name) for name in names]
        columns.append(
            (Column(f"detected{behaviour}", "count"), [share.detected if share else None for share in shares])
        )
        columns.append(
            (Column(f"recall{behaviour}", "percent", 1), [share.recall if share else None for share in shares])
        )
    for scope, words in _SCOPES.items():
        rows = shown[0].overall.types.get(scope, {})
        recalls = [rows[name].recall if name in rows else None for name in names]
        columns.append((Column(words, "percent", 1), recalls))
    return _by_columns(columns, "Recall by clone type")


def _by_columns(columns: Sequence[tuple[Column, Sequence[Cell]]], caption: str) -> Table:
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    return Table([column for column, _ in columns], rows, caption)


def _behaviour(one: Counts) -> str:
    return _BEHAVIOURS.get(one.behaviour, one.behaviour)


def _behaviour_note(counts: Sequence[Counts], differ: bool) -> str:
    if differ:
        return (
            "The numbers of the published program are shown with the repaired ones, for comparison with earlier "
            "papers. It uses integer division when it compares coverage, so any coverage above 0 requires "
            "full containment."
        )
    if len(counts) > 1:
        return "BigCloneEval as shipped and repaired give the same recall for every type here."
    return f"Counted by {_behaviour(counts[0])}."


def _similarity(counts: Sequence[Counts]) -> list[Content]:
    pictures = [
        _curves(counts, _regions, region_steps, "Recall of the pairs of each similarity region of 5 %"),
        _curves(counts, _minimum, _starts, "Recall of all pairs with at least a similarity"),
    ]
    return [
        "For Type-3 and Type-4 pairs, the similarity is the share of the text that both have.",
        figures([picture for picture in pictures if picture is not None]),
        note("A region includes its lower end and excludes its upper end."),
    ]


def _by_type(breakdown: Breakdown) -> Mapping[str, Shares]:
    return breakdown.types


def _regions(breakdown: Breakdown) -> Mapping[str, Shares]:
    return breakdown.regions


def _minimum(breakdown: Breakdown) -> Mapping[str, Shares]:
    return breakdown.min_similarity


def _differing(counts: Sequence[Counts], part: _Part) -> Sequence[Counts]:
    """All behaviours if they differ in a part, else only the first."""
    return counts if any(part(one.overall) != part(counts[0].overall) for one in counts) else counts[:1]


def _curves(counts: Sequence[Counts], part: _Part, points: _Points, title: str) -> Figure | None:
    shown = _differing(counts, part)
    rows = [part(one.overall).get("all", {}) for one in shown]
    if not rows[0]:
        return None
    # BigCloneEval as shipped can report a recall above 1 (defect D5); it is shown, not cut off.
    top = max([100.0, *(_percent(share) or 0.0 for shares in rows for share in shares.values())])
    picture = line_chart(
        [PlottedCurve(_behaviour(one), points(shares)) for one, shares in zip(shown, rows, strict=True)],
        Labels(title, x="similarity, percent", y="recall, percent"),
        x_span=(0, 100),
        y_span=(0, top),
    )
    columns: list[tuple[Column, Sequence[Cell]]] = [
        (Column("similarity, percent"), [name.replace("-", " to ") for name in rows[0]]),
        (Column("known clones", "count"), [share.total for share in rows[0].values()]),
    ]
    for one, shares in zip(shown, rows, strict=True):
        cells = [shares[name].recall if name in shares else None for name in rows[0]]
        columns.append((Column(f"recall, {one.behaviour}" if len(shown) > 1 else "recall", "percent", 1), cells))
    return Figure(picture, f"{title}.", _by_columns(columns, title))


def region_steps(shares: Shares) -> list[tuple[float, float | None]]:
    """A horizontal line over each region."""
    return [(edge, _percent(share)) for name, share in shares.items() for edge in similarity_span(name)]


def _starts(shares: Shares) -> list[tuple[float, float | None]]:
    """A point at the lower end of each span."""
    return [(similarity_span(name)[0], _percent(share)) for name, share in shares.items()]


def _percent(share: CountedShare) -> float | None:
    return None if share.recall is None else round(100 * share.recall, 1)
