from itertools import accumulate


def clip(text, limit):
    sizes = (len(character.encode()) for character in text)
    count = sum(1 for total in accumulate(sizes) if total <= limit)
    return text[:count]
