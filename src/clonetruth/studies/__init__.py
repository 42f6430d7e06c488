"""Studies: drawn from a benchmark, judged by people and language models, resolved, and turned into an estimate.

The judges' pages are in `clonetruth.studies.web`, which needs the extra `web`.
"""

from clonetruth.store.study_estimate import stratified_share
from clonetruth.studies.agreement import AgreementReport, measure_agreement, study_agreement
from clonetruth.studies.estimation import estimate_labels, estimate_study
from clonetruth.studies.export import StudyExport, export_judgements, export_study
from clonetruth.studies.invitations import (
    Invitation,
    Invitee,
    create_invitation,
    invite_judge,
    renew_invitation,
    revoke_judge,
)
from clonetruth.studies.overview import (
    JudgeStatus,
    StudyOverview,
    describe_study,
    judge_statuses,
    list_judges,
    study_overview,
)
from clonetruth.studies.population import PopulationDesign
from clonetruth.studies.protocols import ChosenProtocol, choose_protocol, protocol_names
from clonetruth.studies.resolution import (
    OpenSubject,
    Resolution,
    ResolvedSubjects,
    resolve_study,
    resolve_subjects,
)
from clonetruth.studies.sampling import SampleDesign, draw_study, sample_study
from clonetruth.studies.serving import serve_study

__all__ = [
    "AgreementReport",
    "ChosenProtocol",
    "Invitation",
    "Invitee",
    "JudgeStatus",
    "OpenSubject",
    "PopulationDesign",
    "Resolution",
    "ResolvedSubjects",
    "SampleDesign",
    "StudyExport",
    "StudyOverview",
    "choose_protocol",
    "create_invitation",
    "describe_study",
    "draw_study",
    "estimate_labels",
    "estimate_study",
    "export_judgements",
    "export_study",
    "invite_judge",
    "judge_statuses",
    "list_judges",
    "measure_agreement",
    "protocol_names",
    "renew_invitation",
    "resolve_study",
    "resolve_subjects",
    "revoke_judge",
    "sample_study",
    "serve_study",
    "stratified_share",
    "study_agreement",
    "study_overview",
]
