def bump(number):
    """Moves the first one that has room to the left, and all ones below it to the right end."""
    places = [i for i in range(number.bit_length()) if number >> i & 1]
    for rank, place in enumerate(places):
        if place + 1 not in places:
            places[rank] = place + 1
            places[:rank] = range(rank)
            break
    return sum(1 << place for place in places)
