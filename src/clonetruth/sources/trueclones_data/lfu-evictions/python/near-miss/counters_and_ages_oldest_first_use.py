def evictions(capacity, requests):
    uses, last = {}, {}
    gone = []
    for time, key in enumerate(requests):
        if key not in uses and len(uses) == capacity:
            victim = min(uses, key=lambda k: (uses[k], k))
            gone.append(victim)
            del uses[victim]
        uses[key] = uses.get(key, 0) + 1
        last[key] = time
    return gone
