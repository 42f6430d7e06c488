"""Invitations: a person, a role, and a personal link that nobody can guess."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from clonetruth.errors import InputError
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.votes import InvitedJudge, JudgeRole, VoteStore

# How often somebody may try: a bucket of attempts for each address, which fills again with time.


class RateLimiter:
    """Counts attempts by address. Many threads may ask.

    Args:
        burst: attempts that are free.
        per_minute: how many are given back each minute.
        addresses: how many addresses are remembered; those that tried longest ago are forgotten first.
        clock: seconds, from any beginning.
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
        # When each address will have all its attempts again; the one that tried last stands last.
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str) -> float:
        """Seconds until the address may try again; 0 where it may now."""
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
