import re

HEADING = re.compile(r" *\[ *(.*?) *\] *")
SETTING = re.compile(r" *(?![;#])(.*) *= *(.*?) *")


def ini_value(text_lines, wanted_section, wanted_key):
    active = False
    result = "(missing)"
    for line in text_lines:
        heading = HEADING.fullmatch(line)
        if heading:
            active = heading[1] == wanted_section
            continue
        setting = SETTING.fullmatch(line)
        if active and setting and setting[1] == wanted_key:
            result = setting[2]
    return result
