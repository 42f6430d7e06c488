"""Studies: drawn from a benchmark, judged by people and language models, resolved, and turned into an estimate.

The judges' pages are in `clonetruth.studies.web`, which needs the extra `web`.
"""

from clonetruth.store.study_estimate import stratified_share
from clonetruth.studies.agreement import AgreementReport, measure_agreement, study_agreement
from clonetruth.studies.blindness import BlindnessReport, Leak, check_blindness, find_leaks
from clonetruth.studies.estimation import estimate_labels, estimate_study
from clonetruth.studies.export import StudyExport, export_judgements, export_study
from clonetruth.studies.extension import extend_sample, extend_study
from clonetruth.studies.invitations import (
    Invitation,
    Invitee,
    create_invitation,
    invite_judge,
    renew_invitation,
    revoke_judge,
)
from clonetruth.studies.live_overview import StudyOverview, study_overview
from clonetruth.studies.overview import JudgeStatus, describe_study, judge_statuses, list_judges
from clonetruth.studies.population import PopulationDesign
from clonetruth.studies.protocols import ChosenProtocol, choose_protocol, protocol_names
from clonetruth.studies.resolution import (
    OpenSubject,
    Resolution,
    ResolvedSubjects,
    resolve_study,
    resolve_subjects,
)
from clonetruth.studies.review import ReviewReport, review_study
from clonetruth.studies.sampling import SampleDesign, draw_study, sample_study
from clonetruth.studies.serving import serve_study
from clonetruth.studies.specifications import FunctionalityText, edit_specifications, specify
from clonetruth.studies.withdrawal import ErasedJudge, read_withdrawals, withdraw_judge

__all__ = [
    "AgreementReport",
    "BlindnessReport",
    "ChosenProtocol",
    "ErasedJudge",
    "FunctionalityText",
    "Invitation",
    "Invitee",
    "JudgeStatus",
    "Leak",
    "OpenSubject",
    "PopulationDesign",
    "Resolution",
    "ResolvedSubjects",
    "ReviewReport",
    "SampleDesign",
    "StudyExport",
    "StudyOverview",
    "check_blindness",
    "choose_protocol",
    "create_invitation",
    "describe_study",
    "draw_study",
    "edit_specifications",
    "estimate_labels",
    "estimate_study",
    "export_judgements",
    "export_study",
    "extend_sample",
    "extend_study",
    "find_leaks",
    "invite_judge",
    "judge_statuses",
    "list_judges",
    "measure_agreement",
    "protocol_names",
    "read_withdrawals",
    "renew_invitation",
    "resolve_study",
    "resolve_subjects",
    "review_study",
    "revoke_judge",
    "sample_study",
    "serve_study",
    "specify",
    "stratified_share",
    "study_agreement",
    "study_overview",
    "withdraw_judge",
]
