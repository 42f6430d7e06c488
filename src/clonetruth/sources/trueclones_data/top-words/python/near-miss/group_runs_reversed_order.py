from itertools import groupby


def leaders(items, count):
    runs = [(word, len(list(run))) for word, run in groupby(sorted(items))]
    runs.sort(key=lambda entry: entry[::-1], reverse=True)  # stable: words stay in order
    result = []
    previous = None
    for word, times in runs:
        if len(result) >= count and times != previous:
            break
        if count < 1:
            break
        result.append(word)
        previous = times
    return result
