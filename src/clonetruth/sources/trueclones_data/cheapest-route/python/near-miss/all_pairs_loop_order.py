from itertools import product


def distance(roads, start, goal):
    places = range(7)
    table = {(a, b): 0 if a == b else 99 for a, b in product(places, places)}
    for a, b, price in roads:
        table[a, b] = min(table[a, b], price)
    for a, b, via in product(places, places, places):
        table[a, b] = min(table[a, b], table[a, via] + table[via, b])
    return table[start, goal] if table[start, goal] < 99 else -1
