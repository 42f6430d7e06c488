def accepts(pattern, path):
    """Keeps the set of places in the pattern that the part of the path read so far can lead to."""
    places = closure(pattern, {0})
    for letter in path:
        following = set()
        for place in places:
            if place == len(pattern):
                continue
            wanted = pattern[place]
            if wanted == letter or (wanted == "?" and letter != "/"):
                following.add(place + 1)
            elif wanted == "*" and letter != "/":
                following.add(place)
        places = closure(pattern, following)
    return len(pattern) in places


def closure(pattern, places):
    reached = set()
    for place in places:
        reached.add(place)
        while place < len(pattern) and pattern[place] == "*":
            place += 1
            reached.add(place)
    return reached
