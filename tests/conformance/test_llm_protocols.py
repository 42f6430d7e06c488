"""What holds for every protocol of an LLM judge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.judges import PROTOCOLS, LLMProtocol, check_protocol
from clonetruth.judges.majority import Answer, conclude
from clonetruth.judges.protocol import Order, llm_judge
from clonetruth.model import CRITERIA, JudgeKind

protocols = pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=list(PROTOCOLS))


@protocols
def test_it_can_be_followed(protocol: LLMProtocol) -> None:
    check_protocol(protocol)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_it_knows_its_name(name: str) -> None:
    assert PROTOCOLS[name].name == name


@protocols
def test_the_prompt_tells_every_answer(protocol: LLMProtocol) -> None:
    """A model may also say that it does not know: being pressed, it would guess."""
    assert all(word in protocol.prompt for word in protocol.answers)
    assert "undecided" in protocol.answers.values()
    assert set(protocol.answers.values()) <= set(CRITERIA[protocol.criterion].values)


@protocols
def test_every_answer_in_its_format_is_read(protocol: LLMProtocol) -> None:
    assert "ANSWER: <answer>" in protocol.prompt
    for word, value in protocol.answers.items():
        found = conclude([Answer(Order.GIVEN, 1, f"ANSWER: {word}\nEXPLANATION: so")], protocol.answers)
        assert (found.value, found.malformed) == (value, 0)


@protocols
def test_an_echo_of_the_prompt_is_no_answer(protocol: LLMProtocol) -> None:
    assert conclude([Answer(Order.GIVEN, 1, protocol.prompt)], protocol.answers).value is None


@protocols
@given(left=st.text(), right=st.text())
def test_texts_stand_in_the_message_as_they_are(protocol: LLMProtocol, left: str, right: str) -> None:
    """A text with the name of a place in it stays a text."""
    left, right = f"<{left}{{right}}>", f"<{right}{{left}}{{language}}>"
    message = protocol.render({"left": left, "right": right, "language": "C"})
    assert message.count(left) >= 1
    assert message.count(right) >= 1
    assert len(message) - len(left) - len(right) == len(protocol.prompt) - len("{left}{right}{language}") + 1


@protocols
def test_its_judge_is_its_words(protocol: LLMProtocol) -> None:
    judge = llm_judge("tiny", protocol, protocol.runs)
    assert judge.kind is JudgeKind.LLM
    assert judge == llm_judge("tiny", replace(protocol, name="other"), protocol.runs)
    others = [
        llm_judge("tinier", protocol, protocol.runs),
        llm_judge("tiny", protocol, protocol.runs + 1),
        llm_judge("tiny", replace(protocol, prompt=protocol.prompt + " "), protocol.runs),
        llm_judge("tiny", replace(protocol, system="Be brief."), protocol.runs),
        llm_judge("tiny", replace(protocol, parameters={"temperature": 0.5}), protocol.runs),
    ]
    assert len({judge.id, *(other.id for other in others)}) == 6
