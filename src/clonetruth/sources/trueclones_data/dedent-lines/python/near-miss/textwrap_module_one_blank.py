import textwrap


def dedent(lines):
    text = textwrap.dedent("\n".join(lines))
    result = text.split("\n") if lines else []
    while result and not result[0]:
        del result[0]
    if result and not result[-1]:
        result.pop()
    return result
