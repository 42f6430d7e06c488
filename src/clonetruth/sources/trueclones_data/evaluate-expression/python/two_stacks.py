import operator
import re

RANK = {"+": 1, "-": 1, "*": 2}
APPLY = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def calculate(formula):
    values, waiting = [], []

    def reduce_once():
        right = values.pop()
        left = values.pop()
        values.append(APPLY[waiting.pop()](left, right))

    for token in re.findall(r"\d+|.", formula):
        if token.isdigit():
            values.append(int(token))
        elif token == "(":
            waiting.append(token)
        elif token == ")":
            while waiting[-1] != "(":
                reduce_once()
            waiting.pop()
        else:
            while waiting and waiting[-1] != "(" and RANK[waiting[-1]] >= RANK[token]:
                reduce_once()
            waiting.append(token)
    while waiting:
        reduce_once()
    return values[0]
