import re


def brackets_match(code):
    only = re.sub(r"[^][(){}]", "", code)
    shrunk = 1
    while shrunk:
        only, shrunk = re.subn(r"\(\)|\[\]|\{\}", "", only)
    return only == ""
