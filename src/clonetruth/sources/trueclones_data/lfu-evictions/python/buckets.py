from collections import OrderedDict, defaultdict


def replay(capacity, requests):
    buckets = defaultdict(OrderedDict)
    level = {}
    removed = []
    for key in requests:
        if key in level:
            del buckets[level[key]][key]
            level[key] += 1
        else:
            if len(level) == capacity:
                lowest = min(level.values())
                victim, _ = buckets[lowest].popitem(last=False)
                del level[victim]
                removed.append(victim)
            level[key] = 1
        buckets[level[key]][key] = True
    return removed
