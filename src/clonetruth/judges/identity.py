"""Who an LLM judge is: model, prompt and parameters, hashed. Another wording is another judge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from clonetruth.judges.protocol import LLMProtocol
from clonetruth.model import Judge, JudgeKind
from clonetruth.store import hash_json


def respondent(model: str, protocol: LLMProtocol) -> Mapping[str, Any]:
    """What an answer depends on, apart from the subject: judges that ask the same more or less often share answers."""
    return {
        "model": model,
        "system": protocol.system,
        "prompt": protocol.prompt,
        "parameters": dict(protocol.parameters),
    }


def llm_judge(model: str, protocol: LLMProtocol, runs: int) -> Judge:
    """The judge that asks a model by a protocol, in so many runs."""
    settings = {
        **respondent(model, protocol),
        "criterion": protocol.criterion,
        "answers": dict(protocol.answers),
        "orders": list(protocol.orders),
        "runs": runs,
        "prompt_sha256": hashlib.sha256(protocol.prompt.encode()).hexdigest(),
    }
    times = f"{runs} times" + (" in each order" if len(protocol.orders) > 1 else "")
    # Nothing but the settings may enter: one id has one definition, whatever a protocol's file is called.
    return Judge(
        id=f"llm:{model}-{hash_json(settings)[:12]}",
        kind=JudgeKind.LLM,
        name=f"{model}, asked '{protocol.criterion}'",
        description=f"Asked {times} about each subject; the majority is the answer.",
        settings=settings,
    )
