"""Made-up but plausible data for the pages: about 600 pairs, two of them with their texts."""

from __future__ import annotations

import random

from clonetruth.report import (
    ComparisonView,
    DemoExample,
    DemoFunctionality,
    DemoPair,
    DemoRate,
    DemoView,
    ThresholdOutcome,
)
from clonetruth.stats import Confusion, wilson

LOOP = """\
/** Reverses the words of a sentence. */
public static String reverseWords(String sentence) {
    String[] words = sentence.trim().split("\\\\s+");
    StringBuilder result = new StringBuilder();
    for (int i = words.length - 1; i >= 0; i--) {
        result.append(words[i]);
        if (i > 0) {
            result.append(' ');
        }
    }
    return result.toString();
}
"""

STREAM = """\
static String flip(String s) {
    Deque<String> stack = new ArrayDeque<>();
    new Scanner(s).forEachRemaining(stack::push);
    return String.join(" ", stack); // the last pushed comes first
}
"""

NEAR_MISS = (
    LOOP.replace("i = words.length - 1; i >= 0; i--", "i = 0; i < words.length; i++")
    .replace("i > 0", "i < words.length - 1")
    .replace("reverseWords", "joinWords")
    .replace("Reverses", "Joins")
)

HOSTILE = "String s = \"</td></style><script>document.title = 'owned'</script>\"; // <img src=x onerror=alert(1)>\n"

NAMES = (
    "Reverse the words",
    "Greatest common divisor",
    "Binary search",
    "Is a palindrome",
    "Count the vowels",
    "Merge sorted lists",
    "Roman numerals",
    "Transpose a matrix",
    "Run-length encoding",
    "Prime factors",
    "Longest common prefix",
    "Balanced brackets",
)


def _type(line: float, token: float) -> str:
    smaller = min(line, token)
    if smaller >= 0.9:
        return "VST3"
    return "ST3" if smaller >= 0.7 else "MT3" if smaller >= 0.5 else "WT3/T4"


def demo_pairs(count: int = 600, seed: int = 1) -> list[DemoPair]:
    """Pairs whose similarity says little about the verdict; every 20th is in two languages."""
    draw = random.Random(seed)
    pairs = []
    for k in range(count):
        is_clone = k % 2 == 0
        similar = draw.random() < (0.35 if is_clone else 0.5)
        token = draw.betavariate(6, 1.8) if similar else draw.betavariate(2.5, 3.2)
        line = min(1.0, max(0.0, token - draw.uniform(-0.05, 0.3)))
        crossed = k % 20 == 0
        pairs.append(
            DemoPair(
                functionality=draw.choice(NAMES),
                left=f"java-{k % 97:03}",
                right=f"{'python' if crossed else 'java'}-{k % 89 + 100:03}",
                language_left="java",
                language_right="python" if crossed else "java",
                similarity_line=None if crossed else round(line, 4),
                similarity_token=None if crossed else round(token, 4),
                clone_type=None if crossed else _type(line, token),
                verdict="clone" if is_clone else "not-clone",
            )
        )
    return pairs


def _rate(hits: int, misses: int) -> DemoRate:
    interval = wilson(hits, hits + misses)
    return DemoRate(hits / (hits + misses), interval.low, interval.high) if interval else DemoRate(None)


def outcome(pairs: list[DemoPair], threshold: float) -> ThresholdOutcome:
    """What a token threshold does on the pairs that have a similarity."""
    confusion = Confusion.count(
        (pair.similarity_token >= threshold, pair.is_clone) for pair in pairs if pair.similarity_token is not None
    )
    return ThresholdOutcome(
        threshold,
        confusion.tp,
        confusion.fp,
        confusion.fn,
        confusion.tn,
        _rate(confusion.tp, confusion.fp),
        _rate(confusion.tp, confusion.fn),
        _rate(confusion.tn, confusion.fp),
        confusion.balanced_accuracy,
    )


def demo_view(count: int = 600) -> DemoView:
    """A complete view of the demo."""
    pairs = demo_pairs(count)
    outcomes = [outcome(pairs, k / 100) for k in range(101)]
    clone = DemoPair(NAMES[0], "java-001", "java-101", "java", "java", 0.08, 0.19, "WT3/T4", "clone")
    miss = DemoPair(NAMES[0], "java-001", "java-142", "java", "java", 0.75, 0.88, "ST3", "not-clone")
    return DemoView(
        benchmark="the embedded benchmark",
        description="Small functions in Java and Python, each run against the tests of its functionality.",
        policy="policy “executed”: clones are fragments that pass the tests of one functionality.",
        counts={"functionalities": len(NAMES), "fragments": 186, "pairs": len(pairs), "judgements": 1_860},
        functionalities=[
            DemoFunctionality(
                name,
                f"Do what “{name.lower()}” says for every permitted input.",
                15 + k % 3,
                ("java", "python"),
            )
            for k, name in enumerate(NAMES)
        ],
        pairs=pairs,
        examples=[
            DemoExample(
                "A clone whose texts have little in common",
                "Both return the words of a sentence in reverse order. One walks an array backwards, "
                "the other pushes the words on a stack.",
                clone,
                LOOP,
                STREAM,
            ),
            DemoExample(
                "A near miss whose texts are almost the same",
                "The right one walks forwards: it returns the sentence as it was.",
                miss,
                LOOP,
                NEAR_MISS,
            ),
            DemoExample("A hostile fragment", "It tries to leave its cell.", miss, HOSTILE, LOOP),
        ],
        simple=outcome(pairs, 0.7),
        best=max(outcomes, key=lambda one: one.balanced_accuracy or 0.0),
        manifest={
            "benchmark": "embedded 1.0, sha256 3f1c9a5e77b04c1d9a2e6f0b8c4d2e1f3f1c9a5e77b04c1d",
            "configuration": "threshold 0.70, policy executed",
            "seed": "1",
            "versions": "clonetruth 0.1.0, Python 3.11",
            "time": "2026-01-01T00:00:00Z",
        },
    )


def comparison_view() -> ComparisonView:
    """Two Java methods with two normal forms."""
    return ComparisonView(
        titles=("Words.reverse", "Words.join"),
        languages=("java", "java"),
        texts=(LOOP, NEAR_MISS),
        forms=(("T1: layout", LOOP, NEAR_MISS), ("T2: names and literals", "id = id ;\n", "id = id ;\n")),
        similarity_line=0.75,
        similarity_token=0.883,
        clone_type="ST3",
        cut_rule="min",
        facts={"lines": "12 and 12", "tokens": "74 and 76"},
    )
