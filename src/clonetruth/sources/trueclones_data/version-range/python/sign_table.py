TESTS = {
    "": lambda have, want: have == want,
    ">=": lambda have, want: not have < want,
    "<": lambda have, want: have < want,
    "~": lambda have, want: have[0] == want[0] and have[1] == want[1] and have[2] >= want[2],
    "^": lambda have, want: want <= have <= ceiling(want),
}


def contains(version, range_text):
    numbers = lambda text: [int(n) for n in text.split(".")]
    results = []
    for condition in range_text.replace("||", " ").split(" "):
        digits = condition.lstrip("<>=~^")
        sign = condition[: len(condition) - len(digits)]
        results.append(TESTS[sign](numbers(version), numbers(digits)))
    return results[0] or results[-1] if "|" in range_text else results[0] and results[-1]


def ceiling(version):
    """The last version that the caret permits."""
    major, minor, patch = version
    if major:
        return [major, 99, 99]
    return [0, minor, 99] if minor else [0, 0, patch]
