from itertools import dropwhile
from os.path import commonprefix


def strip_indent(source):
    blank = lambda line: set(line) <= {" "}
    head = list(dropwhile(blank, source))
    body = list(dropwhile(blank, reversed(head)))[::-1]
    shared = commonprefix([line for line in body if not blank(line)])
    width = len(shared) - len(shared.lstrip(" "))
    return ["" if blank(line) else line[width:] for line in body]
