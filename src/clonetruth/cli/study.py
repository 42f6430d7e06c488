"""`clonetruth study …`: sample pairs, let judges judge them, and estimate the quality of labels."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, put, show, show_json, show_note, show_table, show_written
from clonetruth.cli.study_output import show_agreement, show_blindness, show_estimate, show_resolution, show_study
from clonetruth.cli.verb import verb_command
from clonetruth.options.study import (
    AgreementOptions,
    CheckBlindnessOptions,
    DescribeStudyOptions,
    EstimateStudyOptions,
    ExportStudyOptions,
    ExtendStudyOptions,
    InviteJudgeOptions,
    ListJudgesOptions,
    ResolveStudyOptions,
    RevokeJudgeOptions,
    SampleStudyOptions,
    ServeStudyOptions,
    SpecificationsOptions,
    WithdrawJudgeOptions,
)

if TYPE_CHECKING:
    from clonetruth.store.study import Study
    from clonetruth.store.votes import VoteStore
    from clonetruth.studies import Invitation, JudgeStatus, Resolution


@verb_command(SampleStudyOptions)
def sample(options: SampleStudyOptions) -> None:
    """Draw a sample, and describe it."""
    from clonetruth.studies import sample_study
    from clonetruth.studies.blindness import read_report

    with progress_bar() as progress:
        drawn = sample_study(options, progress=progress)
    _show_study(drawn, options.json)
    report = read_report(drawn.path)
    if report is not None and not options.json:
        show_blindness(report)


@verb_command(CheckBlindnessOptions)
def blindness(options: CheckBlindnessOptions) -> int:
    """Test blindness, and print what leaks; exits with 1 if anything does."""
    from clonetruth.studies import check_blindness

    report = check_blindness(options)
    if options.json:
        show_json({**asdict(report), "blind": report.is_blind})
    else:
        show_blindness(report)
    return int(bool(report.leaks))


@verb_command(SpecificationsOptions)
def specifications(options: SpecificationsOptions) -> None:
    """Show, replace or edit specifications."""
    import click

    from clonetruth.studies import edit_specifications, specify
    from clonetruth.studies.specifications import parse_specifications, refuse_after_votes, specifications_toml
    from clonetruth.studies.study_folder import open_study

    texts = edit_specifications(options)
    if options.edit:
        study = open_study(options.study)
        refuse_after_votes(study, options.votes)
        edited = click.edit(specifications_toml(texts), extension=".toml")
        if edited is not None:
            specify(study, parse_specifications(edited, "the editor"), "the editor", options.votes)
            texts = edit_specifications(options.study)
    if options.json:
        show_json(texts)
        return
    rows = [(one.id, one.name, one.methods, one.specification or "missing") for one in texts]
    show_table("Functionalities", ("id", "name", "methods", "specification"), rows)


@verb_command(ExtendStudyOptions)
def extend(options: ExtendStudyOptions) -> None:
    """Extend a sample, and describe it."""
    from clonetruth.studies import extend_study

    _show_study(extend_study(options), options.json)


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
    put(f"{invitation.link}\n")
    show_note(
        f"For {judge.name}, {judge.role}, until {judge.expires:%Y-%m-%d %H:%M} UTC. Keep the link secret: it is not "
        "stored and cannot be shown again."
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
    from clonetruth.studies import revoke_judge

    judge = revoke_judge(options)
    show(f"The link of {judge.name} was revoked on {judge.revoked:%Y-%m-%d %H:%M} UTC. Their votes stay.")


@verb_command(WithdrawJudgeOptions)
def withdraw(options: WithdrawJudgeOptions) -> None:
    """Erase a judge."""
    from clonetruth.studies import withdraw_judge

    done = withdraw_judge(options)
    if options.json:
        show_json(done)
        return
    show(
        f"Erased: the judge, {done.votes + done.answers:,} votes, and {done.decisions:,} decisions of others that "
        "weighed them. The subjects are open again."
    )
    show("Run `clonetruth study export` again for each benchmark that has them: it removes them there.")


@verb_command(ListJudgesOptions)
def judges(options: ListJudgesOptions) -> None:
    """Print the judges and their progress."""
    from clonetruth.studies import describe_study, list_judges, read_withdrawals

    found = list_judges(options)
    if options.json:
        show_json([_with_text_times(one) for one in found])
        return
    withdrawn = read_withdrawals(describe_study(options.study), options.votes)
    if withdrawn:
        erased = sum(one.votes for one in withdrawn)
        show(f"{len(withdrawn):,} withdrew; {erased:,} votes were erased.")
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
        show(f"{served.plan.title}: {address}", f"{invited:,} invited. Ctrl-C stops the server.")
        if not invited:
            show(f"Invite the first judge: clonetruth study invite {options.study} NAME --base-url {address}")

    serve_study(options, ready=ready, log=show_note)
    show("Stopped. All votes are kept.")


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
        show_json(head | _verdict_rows(found) | {"unusual": found.unusual, "rounds": found.rounds})
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
        f"{found.known:,} were already there, {found.removed:,} that the study no longer has were removed."
    )
    if found.outdated:
        show(
            f"{found.outdated:,} judgements that the study no longer has stay in the benchmark: they came from an "
            "earlier release or with `attach`. Import the benchmark again to be rid of them."
        )
    if found.left_out:
        show(f"{found.left_out:,} judgements on pairs that the benchmark does not have were left out.")
    if found.estimate is not None:
        show_written(found.estimate)
