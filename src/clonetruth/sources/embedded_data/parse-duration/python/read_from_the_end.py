def parse(spec):
    if spec == "":
        return -1
    seconds, weight = 0, 1
    for unit in "smh":
        if spec.endswith(unit):
            spec = spec[:-1]
            bare = spec.rstrip("0123456789")
            if bare == spec:
                return -1
            seconds += weight * int(spec[len(bare) :])
            spec = bare
        weight *= 60
    return -1 if spec else seconds
