def victims(capacity, requests):
    inside, entered, result = set(), {}, []
    for i, key in enumerate(requests):
        if key in inside:
            continue
        if len(inside) == capacity:
            def rank(k):
                history = [j for j in range(0, i) if requests[j] == k]
                return len(history), history[-1]

            out = sorted(inside, key=rank)[0]
            inside.remove(out)
            result.append(out)
        inside.add(key)
        entered[key] = i
    return result
