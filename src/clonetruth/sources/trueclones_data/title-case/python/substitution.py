import re


def headline(text):
    words = re.findall(r"[^ -]+", text)
    last = len(words) - 1
    counter = iter(range(len(words)))

    def change(match):
        index = next(counter)
        word = match.group().lower()
        if 0 < index < last and word in "a an and of or the to".split():
            return word
        return word[0].upper() + word[1:]

    return re.sub(r"[^ -]+", change, text)
