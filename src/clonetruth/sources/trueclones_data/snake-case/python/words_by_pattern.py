import re

WORD = re.compile("[A-Z]+(?=[A-Z][a-z])|[A-Z]+[0-9][a-z0-9]*|[A-Z]?[a-z0-9]+|[A-Z]+")


def to_snake_case(identifier):
    return "_".join(WORD.findall(identifier)).lower()
