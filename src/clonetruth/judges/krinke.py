"""The protocol of Krinke and Ragkhitwetsagul (2025, V-B and figure 4), word for word as in their logs."""

from __future__ import annotations

import dataclasses

from clonetruth.judges.protocol import LLMProtocol, Order
from clonetruth.model import PairValue

KRINKE = LLMProtocol(
    name="krinke",
    criterion="functionally-similar",
    prompt='''\
You are an experienced software engineer proficient in analysing source code.

Your task is to analyse two code snippets and check if they are functionally similar. \
Two code snippets are considered functionally similar when they achieve the same result or perform the same task, \
even if they differ in syntax, structure, or the specific steps they take to accomplish that task.

Code Snippet 1: """
{left}
"""

Code Snippet 2: """
{right}
"""

Compare the two {language} code snippets. Answer "YES-SIMILAR" if they are functionally similar. \
Answer "NO-NOT-SIMILAR" if they are not functionally similar. \
Answer "DONT-KNOW" if it is not clear if they are similar.

Format:
ANSWER: <answer>
EXPLANATION: <explanation>
''',
    answers={
        "YES-SIMILAR": PairValue.CLONE,
        "NO-NOT-SIMILAR": PairValue.NOT_CLONE,
        "DONT-KNOW": PairValue.UNDECIDED,
    },
    runs=5,
    parameters={"temperature": 0, "top_p": 0},
)

KRINKE_SWAPPED = dataclasses.replace(KRINKE, name="krinke-swapped", orders=(Order.GIVEN, Order.SWAPPED))
"""Each pair in both orders: an answer that depends on the order is no majority, and the position bias is told."""
