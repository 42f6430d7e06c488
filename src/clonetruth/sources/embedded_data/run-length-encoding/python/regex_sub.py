def rle(s: str) -> str:
    """Replaces every run by its letter and its length."""
    import re

    def short(match):
        run = match.group(0)
        return run[0] + str(len(run))

    return re.sub(r"(\w)\1*", short, s)
