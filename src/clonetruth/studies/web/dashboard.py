"""The owner's page: how far a study is, how well judges agree, what the labels seem to be worth; and votes as files."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import product

import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
from markupsafe import Markup
from starlette.responses import Response

from clonetruth.stats.agreement import COEFFICIENT_WORDS, Agreement
from clonetruth.store.study_estimate import LabelShare
from clonetruth.store.votes import votes_as_tables
from clonetruth.studies.judge_list import JudgeStatus
from clonetruth.studies.overview import StudyOverview, StudyStage, overview
from clonetruth.studies.web.site import JudgeRequest, Site
from clonetruth.studies.web.templating import TableCell, TableColumn

_SMALL_TABLE = 3
"""Up to so many answers, what two judges said is shown answer by answer."""


class Dashboard:
    """The pages of the study's owner.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, visit: JudgeRequest) -> Response:
        """The dashboard, as of this moment."""
        site = self._site
        found = overview(site.study, site.ballots)
        names = {judge.judge: judge.name for judge in found.judges}
        agreements = _agreements(found)
        return site.page(
            "dashboard.html.j2",
            visit,
            title="Dashboard",
            here="/dashboard",
            plan=site.study.plan,
            found=found,
            undecided=found.agreement.undecided if found.agreement else 0,
            agreements=[(title, one, self._coefficients(title, one)) for title, one in agreements],
            confusions=[
                self._confusion(title, two, names)
                for title, one in agreements
                for two in [_pairwise(one)]
                if two and len(one.categories) <= _SMALL_TABLE
            ],
            stages=self._stages("How far pairs and methods are", "Subjects", found.kinds),
            functionalities=self._stages("The pairs of each functionality", "Functionality", found.functionalities),
            judges=self._judges(found.judges),
            shares=self._shares(found),
        )

    def csv(self, visit: JudgeRequest) -> Response:
        """The votes that stand, as CSV. Judges go by their pseudonyms."""
        file = io.BytesIO()
        pa_csv.write_csv(votes_as_tables(self._site.ballots, self._site.study.plan)[1], file)
        return _download(file, "votes.csv", "text/csv; charset=utf-8")

    def parquet(self, visit: JudgeRequest) -> Response:
        """The votes that stand, as Parquet. Judges go by their pseudonyms."""
        file = io.BytesIO()
        pq.write_table(votes_as_tables(self._site.ballots, self._site.study.plan)[1], file)
        return _download(file, "votes.parquet", "application/vnd.apache.parquet")

    def _judges(self, judges: Sequence[JudgeStatus]) -> Markup:
        columns: list[TableColumn] = [
            ("Name", "text"),
            ("Role", "text"),
            ("Link", "text"),
            ("Done", "count"),
            ("Left", "count"),
            ("Put off", "count"),
            ("Attention checks", "text"),
            ("Median seconds", "count"),
            ("Last vote (UTC)", "text"),
        ]
        rows: list[Sequence[TableCell]] = [
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
        return self._site.look.table("Who is invited, and how far they are", columns, rows)

    def _stages(self, caption: str, first: str, stages: Sequence[StudyStage]) -> Markup:
        columns: list[TableColumn] = [
            (first, "text"),
            ("All", "count"),
            ("With all votes", "count"),
            ("Agreed", "count"),
            ("Differ or undecided", "count"),
            ("Decided", "count"),
        ]
        rows = [(one.name, one.subjects, one.judged, one.agreed, one.differ, one.decided) for one in stages]
        return self._site.look.table(caption, columns, rows)

    def _coefficients(self, title: str, one: Agreement) -> Markup:
        decimal = self._site.look.filters["decimal"]
        rows = []
        for name, words in COEFFICIENT_WORDS.items():
            interval = one.intervals.get(name)
            shown = f"{decimal(interval.low, 2)} to {decimal(interval.high, 2)}" if interval else None
            rows.append((words, getattr(one, name), shown, interval.method if interval else one.undefined.get(name)))
        columns: list[TableColumn] = [
            ("Coefficient", "text"),
            ("Value", "decimal"),
            ("Interval", "text"),
            ("How, or why not", "prose"),
        ]
        return self._site.look.table(f"{title}: {one.subjects:,} subjects with two answers or more", columns, rows)

    def _confusion(self, title: str, two: Sequence[Agreement], names: Mapping[str, str]) -> Markup:
        """What each two judges said of the subjects that they share."""
        answers = list(product(two[0].categories, repeat=2))
        columns: list[TableColumn] = [("First judge", "text"), ("Second judge", "text"), ("Both judged", "count")]
        columns += [(f"{first} / {second}", "count") for first, second in answers]
        columns += [("Agreement", "percent"), ("Cohen's kappa", "decimal")]
        rows = [
            (
                *(names.get(judge, judge) for judge in one.judges),
                one.subjects,
                *(count for row in one.table or () for count in row),
                one.agreement,
                one.cohen_kappa,
            )
            for one in two
        ]
        return self._site.look.table(f"{title}: what each two judges said", columns, rows)

    def _shares(self, found: StudyOverview) -> Markup | None:
        estimate = found.estimate
        if estimate is None or not estimate.labelled:
            return None
        without = [estimate.without_extra] if estimate.without_extra else []
        shares = [estimate.labels, *without, *estimate.by_label, *estimate.by_functionality]
        columns: list[TableColumn] = [
            ("Labels", "text"),
            ("Judged", "count"),
            ("Wrong", "count"),
            ("In the sample", "text"),
            ("In the population", "text"),
        ]
        caption = f"Labels that the verdicts contradict, with {estimate.confidence:.0%} intervals"
        return self._site.look.table(caption, columns, [self._share(share) for share in shares])

    def _share(self, share: LabelShare) -> Sequence[TableCell]:
        percent, interval = self._site.look.filters["percent"], self._site.look.filters["percent_interval"]
        shown = [
            f"{percent(one.value, 1)} ({interval(one.low, one.high, 1)})" if one.value is not None else None
            for one in (share.simple, share.weighted)
        ]
        return share.group, share.judged, share.wrong, *shown


def _agreements(found: StudyOverview) -> list[tuple[str, Agreement]]:
    report = found.agreement
    if report is None:
        return []
    titled = {"Pairs": report.pairs, "Methods, main purpose or not": report.methods, "Methods": report.method_labels}
    return [(title, one) for title, one in titled.items() if one is not None]


def _pairwise(one: Agreement) -> Sequence[Agreement]:
    """The agreement of each two judges who share subjects."""
    return (one,) if one.table is not None else one.between


def _download(file: io.BytesIO, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(file.getvalue(), media_type=media_type, headers=headers)
