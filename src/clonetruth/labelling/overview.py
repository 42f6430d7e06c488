"""How a study stands, as its owner sees it: who has done what, how well judges agree, what the labels seem to be worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from clonetruth.errors import InputError
from clonetruth.labelling.roster import JudgeStatus, roster
from clonetruth.labelling.rounds import Outcome, Roll, plan_of
from clonetruth.store.ballots import BallotBox, ItemKey, ItemKind, votes_as_tables
from clonetruth.store.study import Study
from clonetruth.store.study_estimate import LabelShare, StudyEstimate
from clonetruth.truth.agreement import AgreementReport, agreement_of_study
from clonetruth.truth.studies import estimate_labels, resolve_study
