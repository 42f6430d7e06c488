import re


def normalise(text):
    parser = Parser(text)
    try:
        result = parser.value()
    except SyntaxError:
        return "error"
    return result if parser.token is None else "error"


class Parser:
    """Reads one token ahead; `value` returns the canonical text of what it read."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.advance()

    def advance(self):
        match = re.compile(r' *("[^"]*"|[0-9a-z]+|[{}\[\],:]|$|.)').match(self.text, self.at)
        self.token = match.group(1) or None
        self.at = match.end()

    def take(self, expected):
        if self.token != expected:
            raise SyntaxError(expected)
        self.advance()

    def value(self):
        token = self.token
        if token == "[":
            return self.array()
        if token == "{":
            return self.object()
        if token is None or not re.fullmatch(r'"[^"]*"|0|[1-9][0-9]*|true|false|null', token):
            raise SyntaxError("no value")
        self.advance()
        return token

    def array(self):
        self.take("[")
        items = []
        if self.token != "]":
            items.append(self.value())
            while self.token == ",":
                self.advance()
                if self.token != "]":
                    items.append(self.value())
        self.take("]")
        return "[" + ",".join(items) + "]"

    def object(self):
        self.take("{")
        members = {}
        if self.token != "}":
            self.member(members)
            while self.token == ",":
                self.advance()
                self.member(members)
        self.take("}")
        return "{" + ",".join(f'"{key}":{members[key]}' for key in sorted(members)) + "}"

    def member(self, members):
        key = self.token
        if key is None or not re.fullmatch('"[^"]*"', key):
            raise SyntaxError("no key")
        self.advance()
        self.take(":")
        members[key[1:-1]] = self.value()
