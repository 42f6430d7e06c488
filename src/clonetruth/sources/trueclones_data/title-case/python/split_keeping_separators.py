import re

SMALL = {"a", "an", "and", "of", "or", "the", "to"}


def title(text):
    parts = re.split(r"([ -])", text.lower())
    places = [i for i in range(0, len(parts), 2) if parts[i]]
    for i in places:
        if parts[i] not in SMALL or i in (places[0], places[-1]):
            parts[i] = parts[i].capitalize()
    return "".join(parts)
