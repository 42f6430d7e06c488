def root_and_steps(n, b):
    def digits(x):
        return [x] if x < b else digits(x // b) + [x % b]

    ds = digits(n)
    if len(ds) == 1:
        return [n, 0]
    root, steps = root_and_steps(sum(ds), b)
    return [root, max(steps, 1)]
