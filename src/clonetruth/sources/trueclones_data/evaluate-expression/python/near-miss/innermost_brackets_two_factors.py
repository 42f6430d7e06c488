import re


def compute(s):
    """Replaces the innermost bracket by its value until none is left."""
    while "(" in s:
        s = re.sub(r"\(([^()]*)\)", lambda m: str(flat(m.group(1))).replace("-", "~"), s, count=1)
    return flat(s)


def flat(s):
    # ~ is the sign of a negative number that a bracket left behind
    result = 0
    for sign, term in re.findall(r"([+-]?)([~\d*]+)", s):
        product = 1
        for factor in term.split("*")[:2]:
            product *= int(factor.replace("~", "-"))
        result += -product if sign == "-" else product
    return result
