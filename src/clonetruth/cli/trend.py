"""`clonetruth trend`: duplication over git history."""

from __future__ import annotations

from clonetruth.cli.output import progress_bar, show_json, show_table, show_warning, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.trend import TrendOptions


@verb_command(TrendOptions)
def trend(options: TrendOptions) -> None:
    """Measure the trend, and print it or write a page."""
    from clonetruth.find.trend import measure_trend

    with progress_bar() as progress:
        found = measure_trend(options, progress=progress)
    for point in found.points:
        if point.problem:
            show_warning(f"{point.commit[:10]} could not be read: {point.problem}")
    for note in found.notes:
        show_warning(note)
    if options.json:
        show_json(found.to_dict())
    else:
        tagged = any(point.tag for point in found.points)
        columns = (
            "date",
            *(("tag",) if tagged else ()),
            "commit",
            "lines",
            "duplicated",
            "percent",
            "classes",
            "T1",
            "T2",
            "T3",
        )
        rows = [
            (
                point.date,
                *((point.tag or "",) if tagged else ()),
                point.commit[:10],
                *(
                    (
                        f"{point.numbers.lines:,}",
                        f"{point.numbers.duplicated_lines:,}",
                        "–" if point.numbers.percent is None else f"{point.numbers.percent:.1f} %",
                        f"{point.numbers.classes:,}",
                        *(f"{point.numbers.classes_by_type[kind]:,}" for kind in ("T1", "T2", "T3")),
                    )
                    if point.numbers
                    else ("–",) * 7
                ),
            )
            for point in found.points
        ]
        show_table(f"{len(found.points):,} of {found.history:,} {'tags' if options.tags else 'commits'}", columns, rows)
    if options.html is not None:
        from clonetruth.html import write
        from clonetruth.report.trend import trend_page

        path = write(trend_page(found), options.html)
        if not options.json:
            show_written(path)
