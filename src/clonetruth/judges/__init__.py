"""Judges that are programs: models asked live or replayed from recorded logs, and the execution of both fragments."""

from clonetruth.judges.ask import ask_llm
from clonetruth.judges.canaries import CanaryReport
from clonetruth.judges.chat import RetryPolicy
from clonetruth.judges.execution import judge_by_execution
from clonetruth.judges.execution_evidence import FragmentEvidence, PairEvidence, read_evidence
from clonetruth.judges.execution_report import ExecutionReport, FragmentTestRun, PairRun
from clonetruth.judges.llm import ask_model, estimate_llm
from clonetruth.judges.llm_report import LLMEstimate, LLMReport, LLMSettings
from clonetruth.judges.majority import AnswerState
from clonetruth.judges.outcome import LLMOutcome
from clonetruth.judges.prices import Price, read_price
from clonetruth.judges.protocol import LLMProtocol, Order, check_protocol
from clonetruth.judges.protocols import PROTOCOLS, find_protocol
from clonetruth.judges.replay import Replay, replay_logs

__all__ = [
    "PROTOCOLS",
    "AnswerState",
    "CanaryReport",
    "ExecutionReport",
    "FragmentEvidence",
    "FragmentTestRun",
    "LLMEstimate",
    "LLMOutcome",
    "LLMProtocol",
    "LLMReport",
    "LLMSettings",
    "Order",
    "PairEvidence",
    "PairRun",
    "Price",
    "Replay",
    "RetryPolicy",
    "ask_llm",
    "ask_model",
    "check_protocol",
    "estimate_llm",
    "find_protocol",
    "judge_by_execution",
    "read_evidence",
    "read_price",
    "replay_logs",
]
