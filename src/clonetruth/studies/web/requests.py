"""A request of somebody who may make it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from clonetruth.store.votes import InvitedJudge, JudgeRole

PAGES: Mapping[JudgeRole, tuple[tuple[str, str], ...]] = {
    JudgeRole.JUDGE: (("/judge", "Judge"),),
    JudgeRole.ADJUDICATOR: (("/adjudicate", "Disagreements"),),
    JudgeRole.OWNER: (("/dashboard", "Dashboard"),),
}
"""The pages of each role, path and name; the first is where they begin."""


@dataclass(frozen=True)
class JudgeRequest:
    """A request of somebody who may make it.

    Attributes:
        judge: who.
        form_token: what the forms on the page must carry.
        query: the parameters of the address.
        form: the fields of the form, for a request that changes something.
    """

    judge: InvitedJudge
    form_token: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The visitor's name, as they read it."""
        return self.judge.name

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """Where the visitor may go."""
        return PAGES[self.judge.role]
