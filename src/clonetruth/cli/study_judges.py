"""`clonetruth study invite | revoke | judges`: who may enter a study, and how far they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import json_option, show, show_json, show_table

if TYPE_CHECKING:
    from clonetruth.studies.invitations import Invitation
    from clonetruth.studies.judge_list import JudgeStatus

_folder = click.argument("folder", metavar="STUDY", type=click.Path(path_type=Path))

votes_option = click.option(
    "--votes",
    "url",
    default=None,
    envvar="CLONETRUTH_VOTES",
    metavar="URL",
    help="Where the votes are, if not in STUDY: postgresql://… (or in the variable CLONETRUTH_VOTES).",
)


@click.command()
@_folder
@click.argument("name")
@click.option("--role", type=click.Choice(["judge", "adjudicator", "owner"]), default="judge", show_default=True)
@click.option("--group", default=None, help="The group that they judge with, where the protocol has groups.")
@click.option("--days", type=float, default=30.0, show_default=True, help="How long the link works.")
@click.option("--base-url", default="http://127.0.0.1:8765", show_default=True, help="Where the study is served.")
@click.option("--renew", "renewing", is_flag=True, help="A new link for somebody invited before; the old one ends.")
@votes_option
@json_option
def invite(
    folder: Path,
    name: str,
    role: str,
    group: str | None,
    days: float,
    base_url: str,
    renewing: bool,
    url: str | None,
    as_json: bool,
) -> None:
    """Invite a person: print their personal link.

    The link is a secret between you and NAME, and cannot be shown again. A judge votes without seeing others' votes, an
    adjudicator decides where judges differ, an owner sees the dashboard; one person with two roles gets two links.
    Votes carry a pseudonym, not the name.
    """
    from clonetruth.store.study import read_study
    from clonetruth.store.votes import JudgeRole, open_ballots
    from clonetruth.studies.invitations import InvitedGuest, renew
    from clonetruth.studies.invitations import invite as let_in

    protocol = read_study(folder).plan.protocol
    with open_ballots(folder, url) as box:
        if renewing:
            invitation = renew(box, name, days, base_url)
        else:
            invitation = let_in(box, protocol, InvitedGuest(name, JudgeRole(role), group, days), base_url)
    if as_json:
        show_json({"link": invitation.link, "judge": _public(invitation)})
    else:
        judge = invitation.judge
        # On a line of its own and as it is, so that it can be copied whole.
        click.echo(invitation.link)
        click.echo(
            f"For {judge.name}, {judge.role}, until {judge.expires:%Y-%m-%d %H:%M} UTC. Keep it secret; it is not "
            "stored, and cannot be shown again.",
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


@click.command()
@_folder
@click.argument("name")
@votes_option
def revoke(folder: Path, name: str, url: str | None) -> None:
    """Shut a person out, at once. Their votes stay; `invite --renew` lets them in again."""
    from rich.markup import escape

    from clonetruth.store.votes import open_ballots

    with open_ballots(folder, url) as box:
        judge = box.revoke(name)
    show(f"The link of {escape(judge.name)} ended on {judge.revoked:%Y-%m-%d %H:%M} UTC. Their votes stay.")


@click.command()
@_folder
@votes_option
@json_option
def judges(folder: Path, url: str | None, as_json: bool) -> None:
    """Who is invited, and how far they are."""
    from clonetruth.store.study import read_study
    from clonetruth.store.votes import open_ballots
    from clonetruth.studies.judge_list import roster

    study = read_study(folder)
    with open_ballots(folder, url) as box:
        found = roster(study, box)
    if as_json:
        show_json([_plain(one) for one in found])
        return
    if not found:
        show(f"Nobody is invited yet. The first: clonetruth study invite {folder} NAME")
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


def _plain(one: JudgeStatus) -> dict[str, object]:
    """JSON has no times: they become texts."""
    times = {"expires": one.expires.isoformat(), "last": None if one.last is None else one.last.isoformat()}
    return {**vars(one), **times}
