import re


def strip(program):
    tokens = re.compile(r'"(?:\\.|[^"\\])*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)

    def replace(match):
        token = match.group()
        if token.startswith("/*"):
            return " "
        return "" if token.startswith("//") else token

    return tokens.sub(replace, program)
