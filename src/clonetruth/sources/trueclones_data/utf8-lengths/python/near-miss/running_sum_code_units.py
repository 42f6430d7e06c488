from itertools import accumulate


def clip(text, limit):
    sizes = (min(len(character.encode()), 3) for character in text)
    count = sum(1 for total in accumulate(sizes) if total <= limit)
    return text[:count]
