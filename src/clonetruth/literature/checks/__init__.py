"""Check functions of the ledger: one function and one line each. A check computes a number that a paper claims."""

from __future__ import annotations

from clonetruth.literature.checks.context import CheckContext, CheckFunction, MissingDataError, check_context
from clonetruth.registry import Registry

_PACKAGE = "clonetruth.literature.checks"

CHECKS: Registry[CheckFunction] = Registry(
    "check",
    {
        "share": f"{_PACKAGE}.printed:share",
        "total": f"{_PACKAGE}.printed:total",
        "product": f"{_PACKAGE}.printed:product",
        "average": f"{_PACKAGE}.printed:average",
        "largest": f"{_PACKAGE}.printed:largest",
        "smallest": f"{_PACKAGE}.printed:smallest",
        "pairs-among": f"{_PACKAGE}.printed:pairs_among",
        "harmonic-mean": f"{_PACKAGE}.printed:harmonic_mean",
        "kappa-of-rates": f"{_PACKAGE}.printed:kappa_of_rates",
        "kappa-of-counts": f"{_PACKAGE}.printed:kappa_of_counts",
        "nearest-kappa": f"{_PACKAGE}.printed:nearest_kappa",
        "expected-agreement": f"{_PACKAGE}.printed:expected_agreement",
        "largest-spread": f"{_PACKAGE}.printed:largest_spread",
        "sample-size": f"{_PACKAGE}.printed:sample",
        "corrected": f"{_PACKAGE}.printed:corrected",
        "sampled": f"{_PACKAGE}.judged:sampled",
        "sampled-pairs": f"{_PACKAGE}.judged:sampled_pairs",
        "sampled-rank": f"{_PACKAGE}.judged:sampled_rank",
        "nearest-share": f"{_PACKAGE}.judged:nearest_share",
        "not-clones": f"{_PACKAGE}.judged:not_clones",
        "experts": f"{_PACKAGE}.judged:experts",
        "methods": f"{_PACKAGE}.judged:methods",
        "model-and-experts": f"{_PACKAGE}.judged:model_and_experts",
        "uncovered": f"{_PACKAGE}.judged:uncovered",
        "tool-precision": f"{_PACKAGE}.judged:tool_precision",
        "tool-judges": f"{_PACKAGE}.judged:tool_judges",
        "tool-recall": f"{_PACKAGE}.datasets:tool_recall",
        "reference-share": f"{_PACKAGE}.datasets:reference_share",
        "reference-functionalities": f"{_PACKAGE}.datasets:reference_functionalities",
        "functionalities-below": f"{_PACKAGE}.datasets:functionalities_below",
        "functionality-share": f"{_PACKAGE}.datasets:functionality_share",
        "coverage-needed": f"{_PACKAGE}.datasets:coverage_needed",
        "shared-by-parts": f"{_PACKAGE}.datasets:shared_by_parts",
        "count-rows": f"{_PACKAGE}.datasets:count_rows",
        "count-blocks": f"{_PACKAGE}.datasets:count_blocks",
        "undecided-rows": f"{_PACKAGE}.datasets:undecided_rows",
        "count-files": f"{_PACKAGE}.datasets:count_files",
        "published-functions": f"{_PACKAGE}.datasets:published_functions",
        "truncated": f"{_PACKAGE}.datasets:truncated",
        "problem-sizes": f"{_PACKAGE}.datasets:problem_sizes",
        "recovered": f"{_PACKAGE}.datasets:recovered",
        "listed-labels": f"{_PACKAGE}.datasets:listed_labels",
        "imported-size": f"{_PACKAGE}.datasets:imported_size",
    },
    group="clonetruth.checks",
    of=CheckFunction,
)

__all__ = ["CHECKS", "CheckContext", "CheckFunction", "MissingDataError", "check_context"]
