"""`clonetruth study …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.options.declaration import Options, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions

ROLES = ("judge", "adjudicator", "owner")
ALLOCATIONS = ("largest-remainder", "round", "neyman")


@dataclass(frozen=True, kw_only=True)
class StudyOptions(Options):
    """The study folder."""

    study: Path = argument(accepts="Study", help="The study folder.")


@dataclass(frozen=True, kw_only=True)
class VotesOptions(Options):
    """Where the votes of a study are kept."""

    votes: str | None = option(
        None,
        metavar="URL",
        envvar="CLONETRUTH_VOTES",
        help="Database of the votes: postgresql://… (default: the variable CLONETRUTH_VOTES, else the study folder).",
    )


@dataclass(frozen=True, kw_only=True)
class PolicyOptions(Options):
    """How the judges' answers become verdicts."""

    policy: str = option(
        "adjudicated",
        positional=True,
        help="How answers become a verdict, for example adjudicated, majority or unanimous.",
    )


@dataclass(frozen=True, kw_only=True)
class SampleStudyOptions(EngineOptions, JsonOptions, command="study sample", function="sample_study"):
    """Draw a stratified sample of a benchmark's pairs for judges.

    The sample size follows from the margin, with the finite-population correction. docs/studies.md lists the columns
    that a condition can use, among them label, verdict, clone_type, functionality and left_language.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    output: Path = option(names=("-o",), setting=False, help="The new study folder.")
    where: str | None = option(None, metavar="CONDITION", help="Draw only pairs that fulfil this SQL condition.")
    policy: str = option("origin", help="Policy behind the columns 'verdict' and 'confidence' of the condition.")
    criterion: str | None = option(None, help="Criterion of that policy (default: the benchmark's own).")
    rule: str | None = option(
        None, help="Rule behind 'clone_type' and the measured similarities (default: the only rule measured)."
    )
    stratify: tuple[str, ...] = option((), metavar="COLUMN", help="Stratify by this column.")
    confidence: float = option(0.95, help="Confidence level of the interval that the sample size is planned for.")
    margin: float = option(0.05, help="Half the width of that interval.")
    n: int | None = option(None, minimum=1, help="Number of pairs to draw (default: as many as the margin needs).")
    allocation: str = option(
        "largest-remainder", choices=ALLOCATIONS, help="How the sample is allocated to the strata."
    )
    cover: bool = option(
        False, help="Draw at least one pair of each stratum; the additional pairs are marked as extra."
    )
    methods: bool = option(False, help="Let the judges judge the methods of the pairs as well.")
    protocol: str | None = option(
        None, help="A protocol's name, or a TOML file (default: a plain protocol for the card's criterion)."
    )
    title: str | None = option(None, help="Title of the study.")
    seed: int = option(0, help="Random seed.")


@dataclass(frozen=True, kw_only=True)
class DescribeStudyOptions(StudyOptions, JsonOptions, command="study info", function="describe_study"):
    """Show what a study asks, and how its sample was drawn."""


@dataclass(frozen=True, kw_only=True)
class InviteJudgeOptions(StudyOptions, VotesOptions, JsonOptions, command="study invite", function="invite_judge"):
    """Invite a person and print their personal link.

    The link is a secret between you and NAME, and cannot be shown again. A judge votes without seeing others' votes, an
    adjudicator decides where judges differ, an owner sees the dashboard; a person with two roles needs two names. Votes
    carry a pseudonym, not the name.
    """

    study: Path = argument(accepts="Study", help="The study folder.")
    name: str = argument(help="The person's name, unique in the study.")
    role: str = option("judge", choices=ROLES, help="What the person may do.")
    group: str | None = option(None, help="The group that they judge with, if the protocol has groups.")
    days: float = option(30.0, help="Number of days that the link works.")
    base_url: str = option("http://127.0.0.1:8765", help="Address of the served study.")
    renew: bool = option(False, help="Make a new link for a person invited before; the old one stops working.")


@dataclass(frozen=True, kw_only=True)
class RevokeJudgeOptions(StudyOptions, VotesOptions, command="study revoke", function="revoke_judge"):
    """Revoke a person's link at once. Their votes stay; `invite --renew` makes a new link."""

    study: Path = argument(accepts="Study", help="The study folder.")
    name: str = argument(help="The person's name.")


@dataclass(frozen=True, kw_only=True)
class ListJudgesOptions(StudyOptions, VotesOptions, JsonOptions, command="study judges", function="list_judges"):
    """List the invited people and their progress."""


@dataclass(frozen=True, kw_only=True)
class ServeStudyOptions(StudyOptions, VotesOptions, command="study serve", function="serve_study"):
    """Serve a study to its judges, in a browser.

    Judges sign in with their personal links (`clonetruth study invite`). Every vote is on disk before the page shows
    the next pair. Ctrl-C stops the server; after a restart everybody continues where they were.
    """

    host: str = option("127.0.0.1", help="Address to listen on.")
    port: int = option(8765, help="Port to listen on; 0 for any free port.")


@dataclass(frozen=True, kw_only=True)
class AskLLMOptions(StudyOptions, JsonOptions, command="study llm", function="ask_llm"):
    """Let a language model judge a study.

    The API key is read from the environment variable OPENAI_API_KEY and is written nowhere. Every answer is stored in
    STUDY before it is used: when the command is run again, it asks, and pays for, only what is missing. Exits with 1 if
    questions are left.

    With --replay the answers come from recorded logs.
    """

    study: Path = argument(accepts="Study", help="The study folder.")
    logs: tuple[Path, ...] = argument((), metavar="LOG", help="Recorded logs to replay, one for each run.")
    model: str | None = option(None, help="The model's name on the server.")
    replay: bool = option(False, setting=False, help="Ask nothing: take the answers from the recorded logs.")
    base_url: str | None = option(None, help="A server with OpenAI's chat API (default: OpenAI).")
    protocol: str = option(
        "similarity",
        help="How the model is asked: similarity, similarity-swapped, study, study-methods, or a TOML file.",
    )
    protocol_from: Path | None = option(
        None, metavar="LOG", help="Ask as a recorded log does: take the prompt from it, in place of --protocol."
    )
    runs: int | None = option(None, minimum=1, help="Number of runs (default: the protocol's).")
    limit: int | None = option(None, minimum=1, help="Ask about the first N subjects only.")
    prices: Path | None = option(None, help="Prices per million tokens, TOML or JSON.")
    budget: float | None = option(None, minimum=0, help="Maximum total cost of all calls.")
    dry_run: bool = option(False, setting=False, help="Ask nothing: only estimate tokens and cost.")
    concurrency: int = option(8, minimum=1, maximum=256, help="Number of concurrent requests.")
    rate: str | None = option(
        None, metavar="N/min", accepts="float", help="Maximum request rate, for example 120/min, 2/s or 7200/h."
    )
    timeout: float = option(120.0, minimum=0.1, help="Seconds to wait for an answer.")
    tries: int = option(6, minimum=1, help="Attempts per question.")


@dataclass(frozen=True, kw_only=True)
class AgreementOptions(VotesOptions, EngineOptions, JsonOptions, command="study agree", function="measure_agreement"):
    """Measure how far judges agree, on pairs and on methods: kappa and related coefficients, each with an interval."""

    source: Path = argument(
        metavar="STUDY|BENCHMARK", accepts="Study | Benchmark", help="A study folder, or a benchmark with judgements."
    )
    criterion: str | None = option(
        None, help="The criterion on pairs (default: the study's, the card's, or the only one)."
    )
    judges: tuple[str, ...] = option(
        (),
        metavar="JUDGE",
        help="Ids or names of judges, with * as a wildcard (default: people, and LLMs if there are fewer than two).",
    )
    against: str | None = option(
        None,
        metavar="POLICY",
        help="Compare the judges with the verdicts of this policy, for example final or majority.",
    )
    of: str | None = option(
        None, metavar="JUDGE", help="Use only the pairs that this judge, for example a tool, judged (benchmarks only)."
    )
    undecided: bool = option(False, help="Count 'undecided' as an answer (default: leave it out).")
    confidence: float = option(0.95, help="Confidence level of the intervals.")


@dataclass(frozen=True, kw_only=True)
class ResolveStudyOptions(
    StudyOptions, PolicyOptions, VotesOptions, JsonOptions, command="study resolve", function="resolve_study"
):
    """Show the verdict on each subject of a study, and the subjects that are still open."""


@dataclass(frozen=True, kw_only=True)
class EstimateStudyOptions(
    StudyOptions, PolicyOptions, VotesOptions, JsonOptions, command="study estimate", function="estimate_study"
):
    """Estimate the share of a benchmark's labels that are wrong, from a study: overall and for each functionality."""

    confidence: float | None = option(None, help="Confidence level of the intervals (default: as planned).")


@dataclass(frozen=True, kw_only=True)
class ExportStudyOptions(
    StudyOptions, PolicyOptions, VotesOptions, JsonOptions, command="study export", function="export_study"
):
    """Add the judgements of a study and its estimate to its benchmark. A second export adds nothing twice."""

    to: Path = option(
        metavar="BENCHMARK", accepts="Benchmark", setting=False, help="The benchmark that the study was drawn from."
    )
    names: bool = option(
        False, help="Keep the names of people, who must have agreed to it (default: only their pseudonyms)."
    )


def requests_per_minute(rate: str | float | None) -> float | None:
    """A rate as a number of requests per minute: `120/min`, `2/s`, `7200/h`, or a number.

    Raises:
        InputError: the text is not a rate.
    """
    if rate is None:
        return None
    number, _, unit = str(rate).replace(" ", "").partition("/")
    seconds = {"": 60, "s": 1, "min": 60, "h": 3600}.get(unit)
    try:
        value = float(number)
    except ValueError:
        value = 0.0
    if seconds is None or not 0 < value < 1e9:
        raise InputError(f"'{rate}' is not a rate.", where="rate", hint="Examples: 120/min, 2/s, 7200/h.")
    return value * 60 / seconds
