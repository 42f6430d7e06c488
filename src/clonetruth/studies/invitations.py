"""Invitations: a person, a role, and a personal link that nobody can guess."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from clonetruth.errors import InputError
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.votes import InvitedJudge, JudgeRole, VoteStore

ENTRANCE = "/enter/"
"""Where a personal link leads; the token follows."""


@dataclass(frozen=True)
class Invitation:
    """A person who was let in.

    Attributes:
        judge: the person.
        link: the personal link. It is a secret, and cannot be shown again.
    """

    judge: InvitedJudge
    link: str


@dataclass(frozen=True)
class InvitedGuest:
    """Whom to invite: name, role, group where the protocol has groups, and for how many days."""

    name: str
    role: JudgeRole = JudgeRole.JUDGE
    group: str | None = None
    days: float = 30


def invite(box: VoteStore, protocol: Protocol, guest: InvitedGuest, base_url: str) -> Invitation:
    """Let a person into a study.

    Args:
        box: the study's ballot box.
        protocol: the study's protocol, which knows the groups.
        guest: whom.
        base_url: where the study is served.

    Raises:
        InputError: the name is taken, the group is none of the study's, or the URL is none.
    """
    _check_group(protocol, guest)
    base = _checked(base_url)
    judge, token = box.add_judge(guest.name, guest.role, guest.group, guest.days)
    return Invitation(judge, f"{base}{ENTRANCE}{token}")


def renew(box: VoteStore, name: str, days: float, base_url: str) -> Invitation:
    """A new link for somebody who was invited before, also after a revocation; the old link ends.

    Raises:
        InputError: nobody has this name, or the URL is none.
    """
    base = _checked(base_url)
    judge, token = box.renew_judge(name, days)
    return Invitation(judge, f"{base}{ENTRANCE}{token}")


def _check_group(protocol: Protocol, guest: InvitedGuest) -> None:
    """Who judges must be in a group, where there are groups; who decides may be in the panel."""
    if guest.role is JudgeRole.JUDGE:
        groups = [group.name for group in protocol.groups]
        needed = bool(groups)
    else:
        groups = [protocol.panel] if protocol.panel is not None and guest.role is JudgeRole.ADJUDICATOR else []
        needed = False
    if guest.group not in groups and (needed or guest.group is not None):
        raise InputError(
            f"The {guest.role} '{guest.name}' needs a group of the study."
            if guest.group is None
            else f"The study has no group '{guest.group}' for the {guest.role} '{guest.name}'.",
            hint=f"Choose one: {', '.join(groups)}." if groups else "Leave the group out.",
        )


def _checked(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InputError(
            f"'{base_url}' is no address of a served study.", hint="It looks like https://study.example.org."
        )
    return base_url.rstrip("/")
