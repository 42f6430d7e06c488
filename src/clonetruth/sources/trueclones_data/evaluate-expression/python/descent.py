def evaluate(text):
    return Reader(text).total()


class Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def take(self):
        self.at += 1
        return self.text[self.at - 1]

    def total(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.product()
            else:
                value -= self.product()
        return value

    def product(self):
        value = self.atom()
        while self.peek() == "*":
            self.take()
            value *= self.atom()
        return value

    def atom(self):
        if self.peek() == "(":
            self.take()
            value = self.total()
            self.take()
            return value
        digits = ""
        while self.peek().isdigit():
            digits += self.take()
        return int(digits)
