"""The pages on which a judge or an adjudicator agrees to take part, and on which they withdraw."""

from __future__ import annotations

from collections.abc import Callable

from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import JudgeRole
from clonetruth.studies.web.auth import cookie_name
from clonetruth.studies.web.site import JudgeRequest, Site

CONSENT_PATH = "/consent"
WITHDRAW_PATH = "/withdraw"


class ParticipationPages:
    """Consent and withdrawal.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def after_consent(self, handle: Callable[[JudgeRequest], Response]) -> Callable[[JudgeRequest], Response]:
        """Make a handler that first asks for consent, if the visitor has not agreed to the text as it is now."""

        def handle_or_ask(request: JudgeRequest) -> Response:
            if self._site.vote_store.consent_to_ask(request.judge.id) is not None:
                return RedirectResponse(CONSENT_PATH, status_code=303)
            return handle(request)

        return handle_or_ask

    def show_consent(self, request: JudgeRequest) -> Response:
        """Show the text that the visitor has yet to agree to."""
        asked = self._site.vote_store.consent_to_ask(request.judge.id)
        if asked is None:
            return RedirectResponse("/", status_code=303)
        # HTML in the Markdown stays text, and images become links.
        text = Markup(MarkdownIt("commonmark", {"html": False}).disable("image").render(asked.text))
        return self._site.page(
            "consent.html.j2", request, title="Before you begin", here=CONSENT_PATH, text=text, digest=asked.digest
        )

    def accept_consent(self, request: JudgeRequest) -> Response:
        """Record the consent to the text that the form shows, and go on."""
        self._site.vote_store.accept_consent(request.judge.id, request.form.get("text", ""))
        return RedirectResponse("/", status_code=303)

    def show_withdrawal(self, request: JudgeRequest) -> Response:
        """Say what a withdrawal erases, and ask whether it is meant."""
        self._check_role(request)
        return self._site.page(
            "withdraw.html.j2",
            request,
            title="Withdraw from the study",
            here=WITHDRAW_PATH,
            answers=len(self._site.vote_store.votes_of(request.judge.id)),
        )

    def withdraw(self, request: JudgeRequest) -> Response:
        """Erase the visitor."""
        self._check_role(request)
        if request.form.get("sure") != "yes":
            raise HTTPException(400, "Tick the box to confirm that everything of yours is to be erased.")
        self._site.vote_store.withdraw(request.judge.id)
        response = self._site.message(
            "You have withdrawn",
            "Your answers, reasons, name and link are erased. Thank you for the time that you gave.",
        )
        response.delete_cookie(cookie_name(self._site), httponly=True, samesite="strict")
        return response

    def _check_role(self, request: JudgeRequest) -> None:
        if request.judge.role is JudgeRole.OWNER:
            raise HTTPException(403, "An owner has no answers to withdraw.")
