from collections import OrderedDict


def count_misses(capacity, requests):
    cache = OrderedDict()
    misses = 0
    for key in requests:
        if key in cache:
            cache[key] = True
            continue
        misses += 1
        if capacity == 0:
            continue
        if len(cache) == capacity:
            cache.popitem(last=False)
        cache[key] = True
    return misses
