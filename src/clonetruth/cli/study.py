"""`clonetruth study …`: sample pairs, let judges judge them, and estimate the quality of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import progress_bar, show, show_json, show_table
from clonetruth.cli.study_output import show_agreement, show_estimate, show_resolution, show_study
from clonetruth.cli.verb import verb_command
from clonetruth.options.study import (
    AgreementOptions,
    DescribeStudyOptions,
    EstimateStudyOptions,
    ExportStudyOptions,
    InviteJudgeOptions,
    ListJudgesOptions,
    ResolveStudyOptions,
    RevokeJudgeOptions,
    SampleStudyOptions,
    ServeStudyOptions,
)

if TYPE_CHECKING:
    from clonetruth.store.study import Study
    from clonetruth.store.votes import VoteStore
    from clonetruth.studies import Invitation, JudgeStatus, Resolution


@verb_command(SampleStudyOptions)
def sample(options: SampleStudyOptions) -> None:
    """Draw a sample, and describe it."""
    from clonetruth.studies import sample_study

    with progress_bar() as progress:
        drawn = sample_study(options, progress=progress)
    _show_study(drawn, options.json)


@verb_command(DescribeStudyOptions)
def info(options: DescribeStudyOptions) -> None:
    """Describe a study."""
    from clonetruth.studies import describe_study

    _show_study(describe_study(options), options.json)


def _show_study(found: Study, as_json: bool) -> None:
    if as_json:
        tables = ("subjects", "methods", "functionalities", "checks")
        counts = {name: getattr(found, name).num_rows for name in tables}
        show_json({"path": found.path, "plan": found.plan, **counts})
    else:
        show_study(found)


@verb_command(InviteJudgeOptions)
def invite(options: InviteJudgeOptions) -> None:
    """Invite a person, and print the link."""
    from clonetruth.studies import invite_judge

    invitation = invite_judge(options)
    if options.json:
        show_json({"link": invitation.link, "judge": _public(invitation)})
        return
    judge = invitation.judge
    # Alone on its line, so that it can be copied as a whole.
    click.echo(invitation.link)
    click.echo(
        f"For {judge.name}, {judge.role}, until {judge.expires:%Y-%m-%d %H:%M} UTC. Keep the link secret: it is not "
        "stored and cannot be shown again.",
        err=True,
    )


def _public(invitation: Invitation) -> dict[str, object]:
    judge = invitation.judge
    return {
        "judge": judge.id,
        "name": judge.name,
        "role": judge.role,
        "group": judge.group,
        "expires": judge.expires.isoformat(),
    }


@verb_command(RevokeJudgeOptions)
def revoke(options: RevokeJudgeOptions) -> None:
    """Revoke a link."""
    from rich.markup import escape

    from clonetruth.studies import revoke_judge

    judge = revoke_judge(options)
    show(f"The link of {escape(judge.name)} was revoked on {judge.revoked:%Y-%m-%d %H:%M} UTC. Their votes stay.")


@verb_command(ListJudgesOptions)
def judges(options: ListJudgesOptions) -> None:
    """Print the judges and their progress."""
    from clonetruth.studies import list_judges

    found = list_judges(options)
    if options.json:
        show_json([_with_text_times(one) for one in found])
        return
    if not found:
        show(f"Nobody is invited yet. Invite the first judge: clonetruth study invite {options.study} NAME")
        return
    show_table(
        "Judges",
        ("name", "id", "role", "link", "done", "left", "skipped", "attentive", "last vote"),
        [
            (
                one.name,
                one.judge,
                one.role if one.group is None else f"{one.role}, {one.group}",
                f"until {one.expires:%Y-%m-%d}" if one.access == "active" else one.access,
                one.done,
                one.left,
                one.skipped,
                f"{one.attentive} of {one.attention}" if one.attention else None,
                None if one.last is None else f"{one.last:%Y-%m-%d}",
            )
            for one in found
        ],
    )


def _with_text_times(one: JudgeStatus) -> dict[str, object]:
    times = {"expires": one.expires.isoformat(), "last": None if one.last is None else one.last.isoformat()}
    return {**vars(one), **times}


@verb_command(ServeStudyOptions)
def serve(options: ServeStudyOptions) -> None:
    """Serve a study until Ctrl-C."""
    from clonetruth.studies import serve_study

    def ready(address: str, served: Study, vote_store: VoteStore) -> None:
        invited = len(vote_store.judges())
        click.echo(f"{served.plan.title}: {address}")
        click.echo(f"{invited:,} invited. Ctrl-C stops the server.")
        if not invited:
            click.echo(f"Invite the first judge: clonetruth study invite {options.study} NAME --base-url {address}")

    serve_study(options, ready=ready)
    click.echo("Stopped. All votes are kept.")


@verb_command(AgreementOptions)
def agree(options: AgreementOptions) -> None:
    """Measure agreement, and print it."""
    from clonetruth.studies import measure_agreement

    found = measure_agreement(options)
    if options.json:
        show_json(found)
    else:
        show_agreement(found)


@verb_command(ResolveStudyOptions)
def resolve(options: ResolveStudyOptions) -> None:
    """Resolve a study, and print verdicts and open subjects."""
    from clonetruth.studies import resolve_study

    found = resolve_study(options)
    if options.json:
        head = {"policy": found.policy, "criterion": found.criterion, "assumptions": found.assumptions}
        show_json(head | _verdict_rows(found))
    else:
        show_resolution(found)


def _verdict_rows(found: Resolution) -> dict[str, object]:
    parts = {"pairs": found.pairs, "methods": found.methods}
    return {
        name: None
        if part is None
        else {
            "counts": part.counts,
            "judged": part.judged,
            "open": part.open,
            "verdicts": part.verdicts.to_pylist(),
        }
        for name, part in parts.items()
    }


@verb_command(EstimateStudyOptions)
def estimate(options: EstimateStudyOptions) -> None:
    """Estimate label errors, and print them."""
    from clonetruth.studies import estimate_study

    found = estimate_study(options)
    if options.json:
        show_json(found)
    else:
        show_estimate(found)


@verb_command(ExportStudyOptions)
def export(options: ExportStudyOptions) -> None:
    """Export a study to its benchmark."""
    from clonetruth.studies import export_study

    found = export_study(options)
    if options.json:
        show_json(found)
        return
    show(
        f"{found.added:,} judgements of {found.judges:,} judges added to {found.benchmark}; "
        f"{found.known:,} were already there."
    )
    if found.left_out:
        show(f"{found.left_out:,} judgements on pairs that the benchmark does not have were left out.")
    show(f"Written: {found.estimate}")
