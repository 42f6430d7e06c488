from functools import total_ordering


def matches(version, range_text):
    for alternative in range_text.split("||"):
        if all(condition_met(Version(version), c) for c in alternative.split()):
            return True
    return False


@total_ordering
class Version:
    def __init__(self, text):
        self.major, self.minor, self.patch = map(int, text.split("."))

    def __eq__(self, other):
        return (self.major, self.minor, self.patch) == (other.major, other.minor, other.patch)

    def __lt__(self, other):
        if self.major != other.major:
            return self.major < other.major
        if self.minor != other.minor:
            return self.minor < other.minor
        return self.patch < other.patch


def condition_met(version, condition):
    limit = Version(condition.lstrip("~^<>="))
    if condition[0] == "<":
        return version < limit
    if condition[0] == ">":
        return version >= limit
    if condition[0] == "~":
        return version >= limit and version.major == limit.major and version.minor == limit.minor
    if condition[0] == "^":
        if limit.major > 0:
            return version >= limit and version.major == limit.major
        if limit.minor > 0:
            return version >= limit and version.major == 0 and version.minor == limit.minor
    return version == limit
