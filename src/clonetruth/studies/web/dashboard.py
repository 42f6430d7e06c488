"""The owner's page: progress, agreement, estimated label errors, and the votes as files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import product

import pyarrow.parquet as pq
from markupsafe import Markup
from starlette.responses import Response

from clonetruth.formats.writers import csv_pieces
from clonetruth.html import Column, Table, numbers
from clonetruth.html.tables import Cell
from clonetruth.stats.agreement import COEFFICIENT_NAMES, Agreement, JudgePair
from clonetruth.store.study_estimate import LabelShare
from clonetruth.store.votes import votes_as_tables
from clonetruth.studies.live_overview import LiveOverview, StudyOverview, StudyStage
from clonetruth.studies.overview import JudgeStatus
from clonetruth.studies.web.site import JudgeRequest, Site

_MAX_CONFUSION_ANSWERS = 3
"""With more answers than this, a confusion table would be too wide for the page."""


class Dashboard:
    """The pages of the study's owner.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._overview = LiveOverview(site.study, site.vote_store, site.assigner)

    def show(self, request: JudgeRequest) -> Response:
        """Show the dashboard as of this moment."""
        site = self._site
        overview = self._overview.at_present()
        names = {judge.judge: judge.name for judge in overview.judges}
        agreements = _agreements(overview)
        return site.page(
            "dashboard.html.j2",
            request,
            title="Dashboard",
            here="/dashboard",
            plan=site.study.plan,
            overview=overview,
            undecided=overview.agreement.undecided if overview.agreement else 0,
            agreements=[(title, one, _coefficient_table(title, one)) for _, title, one in agreements],
            confusions=[
                _confusion_table(title, one.categories, between, names)
                for name, title, one in agreements
                if (between := overview.between.get(name)) and len(one.categories) <= _MAX_CONFUSION_ANSWERS
            ],
            stages=_stage_table("Progress on pairs and methods", "Subjects", overview.kinds),
            functionalities=_stage_table("Progress by functionality", "Functionality", overview.functionalities),
            judges=_judge_table(overview.judges),
            shares=_share_table(overview),
        )

    def csv(self, request: JudgeRequest) -> Response:
        """Send the current votes as CSV, with pseudonyms for the judges.

        With `?spreadsheet-safe`, what judges wrote cannot become a formula.
        """
        votes = votes_as_tables(self._site.vote_store, self._site.study)[1]
        rows = zip(*(column.to_pylist() for column in votes.columns), strict=True)
        pieces = csv_pieces(votes.column_names, rows, spreadsheet_safe="spreadsheet-safe" in request.query)
        return _download(io.BytesIO("".join(pieces).encode()), "votes.csv", "text/csv; charset=utf-8")

    def parquet(self, request: JudgeRequest) -> Response:
        """Send the current votes as Parquet, with pseudonyms for the judges."""
        file = io.BytesIO()
        pq.write_table(votes_as_tables(self._site.vote_store, self._site.study)[1], file)
        return _download(file, "votes.parquet", "application/vnd.apache.parquet")


def _table(caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Markup:
    return Table(columns, rows, caption).__html__()


def _judge_table(judges: Sequence[JudgeStatus]) -> Markup:
    columns = [
        Column("Name"),
        Column("Role"),
        Column("Link"),
        Column("Done", "count"),
        Column("Left", "count"),
        Column("Skipped", "count"),
        Column("Attention checks"),
        Column("Median seconds", "count"),
        Column("Last vote (UTC)"),
    ]
    rows = [
        (
            judge.name,
            f"{judge.role} ({judge.group})" if judge.group else judge.role,
            judge.access,
            judge.done,
            judge.left,
            judge.skipped,
            f"{judge.attentive} of {judge.attention} right" if judge.attention else None,
            judge.median_seconds,
            f"{judge.last:%d\u00a0%b\u00a0%H:%M}" if judge.last else None,
        )
        for judge in judges
    ]
    return _table("Invited judges and their progress", columns, rows)


def _stage_table(caption: str, first: str, stages: Sequence[StudyStage]) -> Markup:
    columns = [
        Column(first),
        Column("All", "count"),
        Column("All votes in", "count"),
        Column("Agreed", "count"),
        Column("Differ or undecided", "count"),
        Column("Decided", "count"),
    ]
    rows = [(one.name, one.subjects, one.judged, one.agreed, one.differ, one.decided) for one in stages]
    return _table(caption, columns, rows)


def _coefficient_table(title: str, agreement: Agreement) -> Markup:
    rows = []
    for name, words in COEFFICIENT_NAMES.items():
        interval = agreement.intervals.get(name)
        limits = f"{numbers.decimal(interval.low)} to {numbers.decimal(interval.high)}" if interval else None
        method = interval.method if interval else agreement.undefined.get(name)
        rows.append((words, getattr(agreement, name), limits, method))
    columns = [
        Column("Coefficient"),
        Column("Value", "decimal"),
        Column("Interval"),
        Column("Method, or why undefined", "prose"),
    ]
    return _table(f"{title}: {agreement.subjects:,} subjects with at least two answers", columns, rows)


def _confusion_table(
    title: str, categories: Sequence[str], between: Sequence[JudgePair], names: Mapping[str, str]
) -> Markup:
    """The answers of each two judges on the subjects that they share."""
    answers = list(product(categories, repeat=2))
    columns = [
        Column("First judge"),
        Column("Second judge"),
        Column("Both judged", "count"),
        *(Column(f"{first} / {second}", "count") for first, second in answers),
        Column("Agreement", "percent"),
        Column("Cohen's kappa", "decimal"),
    ]
    rows = [
        (
            *(names.get(judge, judge) for judge in one.judges),
            one.subjects,
            *(count for row in one.table for count in row),
            one.agreement,
            one.cohen_kappa,
        )
        for one in between
    ]
    return _table(f"{title}: answers of each two judges", columns, rows)


def _share_table(overview: StudyOverview) -> Markup | None:
    estimate = overview.estimate
    if estimate is None or not estimate.labelled:
        return None
    without = [estimate.without_extra] if estimate.without_extra else []
    shares = [estimate.labels, *without, *estimate.by_label, *estimate.by_functionality]
    columns = [
        Column("Labels"),
        Column("Judged", "count"),
        Column("Wrong", "count"),
        Column("In the sample"),
        Column("In the population"),
    ]
    caption = f"Labels that the verdicts contradict, with {estimate.confidence:.0%} intervals"
    return _table(caption, columns, [_share_row(share) for share in shares])


def _share_row(share: LabelShare) -> Sequence[Cell]:
    values = [
        f"{numbers.percent(one.value, 1)} ({numbers.percent_interval(one.low, one.high, 1)})"
        if one.value is not None
        else None
        for one in (share.simple, share.weighted)
    ]
    return share.group, share.judged, share.wrong, *values


def _agreements(overview: StudyOverview) -> list[tuple[str, str, Agreement]]:
    """What was measured: its name in the overview, its title, and the numbers."""
    report = overview.agreement
    if report is None:
        return []
    titles = {"pairs": "Pairs", "methods": "Methods, main purpose or not", "method_labels": "Methods"}
    measured = [(name, title, getattr(report, name)) for name, title in titles.items()]
    return [(name, title, one) for name, title, one in measured if one is not None]


def _download(file: io.BytesIO, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(file.getvalue(), media_type=media_type, headers=headers)
