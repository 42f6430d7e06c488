def peak_sum(readings):
    import functools

    def step(state, reading):
        ending, peak = state
        ending = max(ending + reading, reading)
        return ending, max(peak, ending)

    if not readings:
        return 0
    start = (readings[0], readings[0])
    return functools.reduce(step, readings[1:], start)[1]
