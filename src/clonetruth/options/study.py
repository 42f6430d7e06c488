"""`clonetruth study …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.options.declaration import WORD, Options, argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions

ROLES = ("judge", "adjudicator", "owner")
PILOT_PAIRS = ("exclude", "include")
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
        project=WORD,
        help="How answers become a verdict, for example adjudicated, majority or unanimous.",
    )


@dataclass(frozen=True, kw_only=True)
class SampleStudyOptions(VotesOptions, EngineOptions, JsonOptions, command="study sample", function="sample_study"):
    """Draw a stratified sample of a benchmark's pairs for judges.

    The sample size follows from the margin, with the finite-population correction. docs/studies.md lists the columns
    that a condition can use, among them label, verdict, clone_type, functionality and left_language.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    output: Path = option(names=("-o",), setting=False, help="The new study folder.")
    where: str | None = option(None, metavar="CONDITION", help="Draw only pairs that fulfil this SQL condition.")
    policy: str = option(
        "origin", project=WORD, help="Policy behind the columns 'verdict' and 'confidence' of the condition."
    )
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
    specifications: Path | None = option(
        None,
        metavar="PATH",
        help="Names and specifications of functionalities: a TOML or CSV file, or a folder (default: the benchmark's).",
    )
    max_per_judge: int | None = option(
        None, minimum=1, metavar="N", help="Number of subjects that each judge judges at most (default: any number)."
    )
    consent: Path | None = option(
        None,
        metavar="FILE",
        help="Markdown text that judges must agree to before their first vote (default: none is asked for).",
    )
    gold: Path | None = option(
        None,
        metavar="FILE",
        help="CSV file with pairs of the population for checks: left, right, answer "
        "(default: pairs on which the evidence agrees).",
    )
    require_blind: bool = option(
        False, help="Refuse a study whose pages tell labels or checks, or for which that cannot be known."
    )
    attentive: float | None = option(
        None, metavar="SHARE", help="Share of checks that a judge must pass (default: the protocol's)."
    )
    pilot: Path | None = option(
        None,
        metavar="STUDY",
        accepts="Study",
        setting=False,
        help="The pilot of this study: its agreement and the changes of the protocol are recorded.",
    )
    pilot_pairs: str = option(
        "exclude", choices=PILOT_PAIRS, help="Whether the pairs of the pilot can be drawn again; its votes never count."
    )
    title: str | None = option(None, help="Title of the study.")
    seed: int = option(0, help="Random seed.")


@dataclass(frozen=True, kw_only=True)
class ExtendStudyOptions(EngineOptions, JsonOptions, command="study extend", function="extend_study"):
    """Draw more pairs for a study. Its pairs and votes stay.

    The result is the sample that would have been drawn at once, so that weights and intervals are right. The benchmark
    must have the population that the study was drawn from. Start the server of the study again afterwards.
    """

    study: Path = argument(accepts="Study", help="The study folder.")
    benchmark: Path = argument(accepts="Benchmark", help="The benchmark that the study was drawn from.")
    n: int = option(minimum=1, setting=False, help="Number of further pairs to draw.")


@dataclass(frozen=True, kw_only=True)
class CheckBlindnessOptions(StudyOptions, JsonOptions, command="study blindness", function="check_blindness"):
    """Test whether the pages of a study tell judges the claimed labels, or which items are checks.

    A small model reads everything that a judge will see, except the meaning of the code. Exits with 1 if it does better
    than chance. The report is written to the study folder.
    """


@dataclass(frozen=True, kw_only=True)
class SpecificationsOptions(
    StudyOptions, VotesOptions, JsonOptions, command="study specifications", function="edit_specifications"
):
    """Show what judges read of each functionality, and replace it before the first vote.

    A TOML file has a table for each functionality, with name and specification; a CSV file has the columns
    functionality, name and specification; a folder has a text for each, such as 2.md.
    """

    file: Path | None = option(
        None, names=("--from",), setting=False, help="Take names and specifications from this file or folder."
    )
    edit: bool = option(False, terminal=True, setting=False, help="Edit them in the editor of the variable EDITOR.")


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
    role: str = option("judge", choices=ROLES, project=False, help="What the person may do.")
    group: str | None = option(None, help="The group that they judge with, if the protocol has groups.")
    days: float = option(30.0, project=False, help="Number of days that the link works.")
    max_per_judge: int | None = option(
        None, minimum=1, metavar="N", help="Number of subjects that this judge judges at most (default: the study's)."
    )
    base_url: str = option("http://127.0.0.1:8765", help="Address of the served study.")
    renew: bool = option(
        False, project=False, help="Make a new link for a person invited before; the old one stops working."
    )


@dataclass(frozen=True, kw_only=True)
class RevokeJudgeOptions(StudyOptions, VotesOptions, command="study revoke", function="revoke_judge"):
    """Revoke a person's link at once. Their votes stay; `invite --renew` makes a new link."""

    study: Path = argument(accepts="Study", help="The study folder.")
    name: str = argument(help="The person's name.")


@dataclass(frozen=True, kw_only=True)
class WithdrawJudgeOptions(
    StudyOptions, VotesOptions, JsonOptions, command="study withdraw", function="withdraw_judge"
):
    """Erase a person from a study, at their request: votes, reasons, name and link.

    Their subjects are open again, and decisions between their answers and others' are erased too. What is left is a
    note that somebody withdrew. Nothing can be restored. Run `study export` again for each benchmark that the study was
    exported to: it removes their judgements there.
    """

    study: Path = argument(accepts="Study", help="The study folder.")
    judge: str = argument(help="The person's name or pseudonym.")


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
    public_url: str | None = option(
        None, help="URL under which judges reach the pages, if a proxy is in front; other host names are refused."
    )
    trusted_proxy: tuple[str, ...] = option(
        (), metavar="ADDRESS", help="Address or network of a proxy whose X-Forwarded headers are believed."
    )


@dataclass(frozen=True, kw_only=True)
class AskLLMOptions(StudyOptions, JsonOptions, command="study llm", function="ask_llm"):
    """Let a language model judge a study.

    The API key is read from the environment variable OPENAI_API_KEY and is written nowhere. Every answer is stored in
    STUDY before it is used: when the command is run again, it asks, and pays for, only what is missing. A few canary
    questions with known answers come first. Exits with 1 if questions are left or nothing was decided.

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
    runs: int | None = option(None, minimum=1, project=False, help="Number of runs (default: the protocol's).")
    limit: int | None = option(None, minimum=1, help="Ask about the first N subjects only.")
    prices: Path | None = option(None, project=False, help="Prices per million tokens, TOML or JSON.")
    budget: float | None = option(None, minimum=0, project=False, help="Maximum total cost of all calls.")
    dry_run: bool = option(False, setting=False, help="Ask nothing: only estimate tokens and cost.")
    concurrency: int = option(8, minimum=1, maximum=256, help="Number of concurrent requests.")
    rate: str | None = option(
        None, metavar="N/min", accepts="float", help="Maximum request rate, for example 120/min, 2/s or 7200/h."
    )
    timeout: float = option(120.0, minimum=0.1, help="Seconds to wait for an answer.")
    tries: int = option(6, minimum=1, project=False, help="Attempts per question.")
    canaries: int = option(
        4,
        minimum=0,
        project=False,
        help="Number of questions with known answers asked first; go on only if most can be read.",
    )
    stop_after_unreadable: str = option(
        "20%",
        metavar="SHARE",
        accepts="float",
        project=False,
        help="Stop when more than this share of the answers (at least 20) cannot be read.",
    )
    ask_again: tuple[str, ...] = option(
        (),
        commas=True,
        setting=False,
        metavar="STATES",
        help="Ask, and pay, again for stored answers that are malformed, cut-off or refused; unreadable for all three.",
    )
    structured: str = option(
        "auto",
        choices=("auto", "always", "never"),
        help="Ask the server for JSON (default: if it answers a canary with JSON). Another form is another judge.",
    )


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
class ReviewStudyOptions(StudyOptions, VotesOptions, JsonOptions, command="study review", function="review_study"):
    """Reopen pairs that people settled and a judge contradicts, and show the numbers before and after.

    Adjudicators review the pairs in the pages of the study (`study serve`): they see the settled verdict and the
    judge's explanation, and accept or reject it with a reason. All earlier votes stay. Running the command again adds
    what is contradicted by now.
    """

    study: Path = argument(accepts="Study", help="The study folder.")
    against: str = option(
        "llm", metavar="JUDGE", project=WORD, help="Id or name of the judge, or llm for the only language model."
    )
    status: bool = option(False, setting=False, help="Reopen nothing: only show the numbers.")


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
    """Bring the judgements of a study, as they are now, and its estimate into its benchmark.

    A second export adds nothing twice, and removes what was undone since the first.
    """

    to: Path = option(
        metavar="BENCHMARK", accepts="Benchmark", setting=False, help="The benchmark that the study was drawn from."
    )
    names: bool = option(
        False,
        project=False,
        help="Keep the names of people, who must have agreed to it (default: only their pseudonyms).",
    )


def share_of(text: str | float, where: str) -> float:
    """A share from 0 to 1, written as `20%` or `0.2`.

    Raises:
        InputError: the text is not a share.
    """
    number = str(text).strip()
    try:
        value = float(number.removesuffix("%")) / (100 if number.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise InputError(f"'{text}' is not a share.", where=where, hint="Examples: 20%, 0.2.")
    return value


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
