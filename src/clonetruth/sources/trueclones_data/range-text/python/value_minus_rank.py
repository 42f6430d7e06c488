from itertools import groupby


def ranges(numbers):
    texts = []
    for _, group in groupby(enumerate(sorted(set(numbers))), lambda pair: pair[1] - pair[0]):
        run = [str(n) for _, n in group]
        texts.append(f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(run))
    return ",".join(texts)
