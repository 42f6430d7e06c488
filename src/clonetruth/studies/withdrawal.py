"""Withdrawing from a study: a judge is erased from the study folder and its vote store."""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.options.declaration import verb
from clonetruth.options.study import WithdrawJudgeOptions
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import erase_study_judge
from clonetruth.store.votes import Withdrawal, open_vote_store
from clonetruth.studies.study_folder import open_study


@dataclass(frozen=True)
class ErasedJudge:
    """What a withdrawal erased.

    Attributes:
        votes: rows of the person in the vote store: answers, skips, undos, decisions.
        answers: judgements of the person in the study folder, which did not come from the pages.
        decisions: decisions of others between answers of which theirs was one.
        withdrawals: how many people have withdrawn from the study's vote store so far.
    """

    votes: int
    answers: int
    decisions: int
    withdrawals: int


@verb(WithdrawJudgeOptions)
def withdraw_judge(options: WithdrawJudgeOptions) -> ErasedJudge:
    """Erase a person from a study, at their request: votes, reasons, name and link.

    Returns:
        The number of votes and decisions that were erased.

    Raises:
        InputError: the folder is not a study, or nobody has this name.
        UnavailableError: the database of votes cannot be opened, or its files could not be overwritten yet.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="withdrawn-study", n=5)
        >>> _ = clonetruth.invite_judge(study, "Ada")
        >>> clonetruth.withdraw_judge(study, "Ada").votes
        0
    """
    study = open_study(options.study)
    with open_vote_store(study.path, options.votes) as vote_store:
        # First the folder's own files: the judge is still known if this is interrupted.
        answers, decisions = erase_study_judge(study, options.judge)
        try:
            done = vote_store.withdraw(options.judge)
        except InputError:
            if not answers:
                raise
            done = None
        return ErasedJudge(
            votes=0 if done is None else done.votes,
            answers=answers,
            decisions=decisions + (0 if done is None else done.decisions),
            withdrawals=len(vote_store.withdrawals()),
        )


def read_withdrawals(study: Study, votes: str | None) -> tuple[Withdrawal, ...]:
    """Who withdrew from a study, without anything that identifies them."""
    with open_vote_store(study.path, votes) as vote_store:
        return vote_store.withdrawals()
