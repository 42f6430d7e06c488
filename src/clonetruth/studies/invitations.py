"""Invitations: a person, a role, and a personal link that cannot be guessed; and a limit on guesses."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from clonetruth.errors import InputError
from clonetruth.options.declaration import verb
from clonetruth.options.study import InviteJudgeOptions, RevokeJudgeOptions
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.votes import InvitedJudge, JudgeRole, VoteStore, open_vote_store
from clonetruth.studies.study_folder import open_study


class RateLimiter:
    """Limits attempts per address with a token bucket. It is thread-safe.

    Args:
        burst: the number of attempts that an address may make at once.
        per_minute: the number of attempts that it regains each minute.
        addresses: the number of addresses to remember; the one whose last attempt is oldest is forgotten first.
        clock: a clock in seconds, with any starting point.
    """

    def __init__(
        self,
        burst: int = 20,
        per_minute: float = 10.0,
        addresses: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst = burst
        self._seconds = 60 / per_minute
        self._addresses = addresses
        self._clock = clock
        self._lock = threading.Lock()
        # When each address will have all its attempts again; the most recent attempt is last.
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until the address may try again; 0 if it may try now."""
        with self._lock:
            owed = self._full_at.get(address, 0.0) - self._clock()
        return max(0.0, owed - (self._burst - 1) * self._seconds)

    def count(self, address: str) -> None:
        """Count an attempt."""
        with self._lock:
            now = self._clock()
            self._full_at[address] = max(self._full_at.pop(address, now), now) + self._seconds
            if len(self._full_at) > self._addresses:
                self._full_at.popitem(last=False)


LINK_PATH = "/enter/"
"""The path of a personal link; the token follows."""


@dataclass(frozen=True)
class Invitation:
    """An invited person and their link.

    Attributes:
        judge: the person.
        link: the personal link. It is a secret and cannot be shown again.
    """

    judge: InvitedJudge
    link: str


@dataclass(frozen=True)
class Invitee:
    """A person to invite.

    Attributes:
        name: their name, unique in the study.
        role: what they may do.
        group: the group they judge with, if the protocol has groups.
        days: how long the link works.
        quota: the number of subjects that they may judge; None for any number.
    """

    name: str
    role: JudgeRole = JudgeRole.JUDGE
    group: str | None = None
    days: float = 30
    quota: int | None = None


@verb(InviteJudgeOptions)
def invite_judge(options: InviteJudgeOptions) -> Invitation:
    """Invite a person to a study, and make their personal link.

    Returns:
        The person, with their pseudonym, and the link, which is a secret and cannot be shown again.

    Raises:
        InputError: the folder is not a study, the name is taken, the study has no such group, or the URL is not valid.
        UnavailableError: the database of votes cannot be opened.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="invited-study", n=5)
        >>> clonetruth.invite_judge(study, "Ada", base_url="https://study.example.org").link
        'https://study.example.org/enter/...'
    """
    study = open_study(options.study)
    with open_vote_store(study.path, options.votes) as vote_store:
        quota = options.max_per_judge
        if options.renew:
            return renew_invitation(vote_store, options.name, options.days, options.base_url, quota)
        role = JudgeRole(options.role)
        if quota is None and role is JudgeRole.JUDGE:
            quota = study.plan.max_per_judge
        invitee = Invitee(options.name, role, options.group, options.days, quota)
        return create_invitation(vote_store, study.plan.protocol, invitee, options.base_url)


@verb(RevokeJudgeOptions)
def revoke_judge(options: RevokeJudgeOptions) -> InvitedJudge:
    """Revoke the link of a person at once. Their votes stay.

    Returns:
        The person, with the time of the revocation.

    Raises:
        InputError: the folder is not a study, or nobody has this name.
        UnavailableError: the database of votes cannot be opened.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="revoked-study", n=5)
        >>> _ = clonetruth.invite_judge(study, "Ada")
        >>> clonetruth.revoke_judge(study, "Ada").revoked is None
        False
    """
    with open_vote_store(open_study(options.study).path, options.votes) as vote_store:
        return vote_store.revoke(options.name)


def create_invitation(vote_store: VoteStore, protocol: Protocol, invitee: Invitee, base_url: str) -> Invitation:
    """Invite a person to a study.

    Args:
        vote_store: the study's vote store.
        protocol: the study's protocol, which defines the groups.
        invitee: the person.
        base_url: the address of the served study.

    Raises:
        InputError: the name is taken, the study has no such group, or the URL is not valid.
    """
    _check_group(protocol, invitee)
    base = check_base_url(base_url)
    if invitee.quota is not None and invitee.role is not JudgeRole.JUDGE:
        raise InputError(
            f"A quota is for judges; '{invitee.name}' is invited as {invitee.role}.", hint="Leave --max-per-judge out."
        )
    judge, token = vote_store.add_judge(invitee.name, invitee.role, invitee.group, invitee.days, invitee.quota)
    return Invitation(judge, f"{base}{LINK_PATH}{token}")


def renew_invitation(
    vote_store: VoteStore, name: str, days: float, base_url: str, quota: int | None = None
) -> Invitation:
    """Make a new link for a person who was invited before, even if it was revoked; the old link stops working.

    Args:
        vote_store: the study's vote store.
        name: the person's name.
        days: how long the new link works.
        base_url: the address of the served study.
        quota: the number of subjects that they may judge from now on (default: as before).

    Raises:
        InputError: nobody has this name, or the URL is not valid.
    """
    base = check_base_url(base_url)
    judge, token = vote_store.renew_judge(name, days, quota)
    return Invitation(judge, f"{base}{LINK_PATH}{token}")


def _check_group(protocol: Protocol, invitee: Invitee) -> None:
    """Check the group: a judge needs one if the protocol has groups; an adjudicator may join the panel."""
    if invitee.role is JudgeRole.JUDGE:
        groups = [group.name for group in protocol.groups]
        needed = bool(groups)
    else:
        groups = [protocol.panel] if protocol.panel is not None and invitee.role is JudgeRole.ADJUDICATOR else []
        needed = False
    if invitee.group not in groups and (needed or invitee.group is not None):
        raise InputError(
            f"The {invitee.role} '{invitee.name}' needs a group."
            if invitee.group is None
            else f"The study has no group '{invitee.group}' for the {invitee.role} '{invitee.name}'.",
            hint=f"Choose one: {', '.join(groups)}." if groups else "Leave the group out.",
        )


def check_base_url(base_url: str) -> str:
    """Check the address of a served study; returns it without a slash at the end.

    Raises:
        InputError: it is not the URL of a web server.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InputError(
            f"'{base_url}' is not the address of a served study.", hint="Example: https://study.example.org."
        )
    return base_url.rstrip("/")
