"""Who may speak beside people: language models, asked live or replayed from recorded logs."""

from clonetruth.judges.chat import Patience
from clonetruth.judges.llm import LLMEstimate, LLMOptions, LLMReport, ask_llm, estimate_llm
from clonetruth.judges.outcome import LLMOutcome
from clonetruth.judges.prices import Price, read_price
from clonetruth.judges.protocol import LLMProtocol, Order, check_protocol
from clonetruth.judges.protocols import PROTOCOLS, find_protocol
from clonetruth.judges.replay import Replay, replay_logs

__all__ = [
    "PROTOCOLS",
    "LLMEstimate",
    "LLMOptions",
    "LLMOutcome",
    "LLMProtocol",
    "LLMReport",
    "Order",
    "Patience",
    "Price",
    "Replay",
    "ask_llm",
    "check_protocol",
    "estimate_llm",
    "find_protocol",
    "read_price",
    "replay_logs",
]
