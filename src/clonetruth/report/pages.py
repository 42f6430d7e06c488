"""Pages of what the verbs return (results, audits, clones, comparisons, matrices, splits), and the demo's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from clonetruth.errors import InputError
from clonetruth.html import Page, write
from clonetruth.options.declaration import verb
from clonetruth.options.report import DemoOptions, ReportOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.report.demo_view import Demo

if TYPE_CHECKING:
    from os import PathLike

    from clonetruth.audit import AuditReport
    from clonetruth.evaluate import Evaluation
    from clonetruth.find import CloneReport
    from clonetruth.measures import FragmentComparison
    from clonetruth.splits import Split
    from clonetruth.store.matrix import MatrixSummary
    from clonetruth.store.results import Result

    ResultLike = str | PathLike[str] | Result | Evaluation
    Reportable = ResultLike | AuditReport | CloneReport | FragmentComparison | MatrixSummary | Split


@verb(ReportOptions)
def write_report(options: ReportOptions) -> Path:
    """Write a page of results, or of what another verb returned.

    Several results are compared on one page; an audit, clones, a comparison, a matrix or a split has its own page.

    Returns:
        The file of the page.

    Raises:
        InputError: a file is not a result, results are mixed with something else, or the page cannot be written.

    Example:
        >>> import clonetruth
        >>> clones = clonetruth.find_clones("src")
        >>> clonetruth.write_report(clones, "clones.html").name
        'clones.html'
    """
    return write(page_of(options.results), options.output)


def page_of(given: Sequence[Reportable]) -> Page:
    """The page of results or files of results, or of one other object that a verb returned.

    Raises:
        InputError: there is nothing to show, or things are mixed that do not share a page.
    """
    from clonetruth.evaluate import Evaluation, load_result
    from clonetruth.report.evaluation import evaluation_page

    pages = [_own_page(one) for one in given]
    if len(pages) == 1 and pages[0] is not None:
        return pages[0]
    results: list[Result] = []
    for one, page in zip(given, pages, strict=True):
        if page is not None:
            raise InputError(
                f"A page of several results cannot show {type(one).__name__}.", hint="Write a separate page for it."
            )
        results += one if isinstance(one, Evaluation) else [load_result(cast("str | Result", one))]
    return evaluation_page(results)


def _own_page(given: Reportable) -> Page | None:
    """The page of something that is not a result."""
    from clonetruth.audit import AuditReport, example_texts
    from clonetruth.find import CloneReport
    from clonetruth.measures import FragmentComparison
    from clonetruth.report.audit import audit_page
    from clonetruth.report.clones import clones_page
    from clonetruth.report.compare import ComparisonView, comparison_page
    from clonetruth.report.matrix import matrix_page
    from clonetruth.report.shift import shift_page
    from clonetruth.splits import Split
    from clonetruth.splits.shift import measure_shift
    from clonetruth.store import Benchmark
    from clonetruth.store.matrix import MatrixSummary

    match given:
        case AuditReport():
            return audit_page(given, None, example_texts(given))
        case CloneReport():
            return clones_page(given)
        case FragmentComparison():
            return comparison_page(ComparisonView.of(given))
        case MatrixSummary():
            return matrix_page(given)
        case Split():
            return shift_page(measure_shift(Benchmark.open(given.path.parent.parent), given.name))
    return None


@verb(DemoOptions)
def run_demo(options: DemoOptions, *, progress: Progress | None = None) -> Demo:
    """See on one page that similar text and the same behaviour are two different things.

    Builds the embedded benchmark in the output folder (or opens it again), measures its pairs, evaluates two simple
    detectors, trains one under four views, finds the clones of its sources, and writes the pages. It takes about half a
    minute.

    Returns:
        The main page, and the numbers that it shows.

    Raises:
        InputError: the folder cannot be made, or holds another benchmark.

    Example:
        >>> import clonetruth
        >>> demo = clonetruth.run_demo("my-demo")
        >>> demo.facts["median_near_miss"] > demo.facts["median_clone"]
        True
    """
    from clonetruth.report.demo_pipeline import build_demo

    return build_demo(options.output, options.threshold, progress or no_progress)
