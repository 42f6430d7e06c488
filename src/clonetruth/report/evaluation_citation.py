"""How to cite the numbers of a result: a sentence, and an entry for a bibliography."""

from __future__ import annotations

import re

from markupsafe import Markup

from clonetruth.html.blocks import listing
from clonetruth.html.page import Section
from clonetruth.report.evaluation_measures import Metric, in_words, leading_names
from clonetruth.store.comparability import stated
from clonetruth.store.results import Result

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "-",
    "\u202f": r"\,",
}
_MOST_NUMBERS = 4


def citation_section(result: Result) -> Section:
    """The box with everything that a reader of a quoted number needs."""
    text = "\n\n".join((sentence(result), _entry(result)))
    box = Markup('<div class="citation">{}</div>').format(listing(Markup.escape(text), "One click selects all of it"))
    return Section(
        "How to cite these numbers",
        ["A number without its benchmark, policy and interval cannot be compared with any other.", box],
        anchor="cite",
    )


def sentence(result: Result) -> str:
    """The numbers in a sentence, with all that they depend on."""
    benchmark = result.benchmark
    of = f"{benchmark.name} {benchmark.version}" if benchmark.version else benchmark.name
    if benchmark.content_hash:
        of += f" (content {short_hash(benchmark.content_hash)})"
    named = ("kind", "benchmark", "version", "content hash")
    told = ", ".join(f"{what.replace('_', ' ')} {value}" for what, value in stated(result).items() if what not in named)
    versions = result.manifest.versions
    program = f"clonetruth {versions['clonetruth']}" if "clonetruth" in versions else "clonetruth"
    return f"{result.detector} on {of}: {_numbers(result)}; {told}. Measured with {program} on {_date(result)}."


def short_hash(text: str) -> str:
    """As much of a hash as tells it apart; all of it stands where the result says how it was computed."""
    return text[:12]


def _numbers(result: Result) -> str:
    found = [result.measurement(name) for name in leading_names(result.headline)[:_MOST_NUMBERS]]
    told = [f"{Metric(one.name).title} {in_words(one, result)}" for one in found if one is not None]
    return "; ".join(told) or "no number is defined"


def _date(result: Result) -> str:
    return result.manifest.time[:10]


def _entry(result: Result) -> str:
    key = re.sub(r"[^a-z0-9]+", "-", f"{result.detector}-{result.benchmark.name}".lower()).strip("-")
    fields = {
        "title": f"{result.detector} on {result.benchmark.name}",
        "year": _date(result)[:4],
        "note": sentence(result),
        "howpublished": f"clonetruth result, configuration {result.manifest.configuration_digest}",
    }
    if result.benchmark.content_hash:
        fields["annote"] = f"content hash of the benchmark: {result.benchmark.content_hash}"
    lines = "".join(f"  {name} = {{{_tex(value)}}},\n" for name, value in fields.items())
    return f"@misc{{{key or 'result'},\n{lines}}}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)
