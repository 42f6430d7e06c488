def leaving(capacity, requests):
    """The list is always sorted: the key that would leave next is the first one."""
    cache = []
    left = []
    for key in requests:
        count = 1
        for i, (uses, one) in enumerate(cache):
            if one == key:
                count = uses + 1
                del cache[i]
                break
        else:
            if len(cache) > capacity:
                left.append(cache.pop(0)[1])
        place = 0
        while place < len(cache) and cache[place][0] <= count:
            place += 1
        cache.insert(place, (count, key))
    return left
