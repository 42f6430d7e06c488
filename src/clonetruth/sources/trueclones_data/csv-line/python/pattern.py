import re

FIELD = re.compile(r'(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))')


def parse_line(text):
    found = []
    for match in FIELD.finditer(text):
        quoted, bare = match.groups()
        found.append(bare if quoted is None else quoted.replace('""', '"'))
    return found
