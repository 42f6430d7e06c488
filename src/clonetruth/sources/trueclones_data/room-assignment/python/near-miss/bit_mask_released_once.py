def plan(starts, lengths):
    result, release, used = [], {}, 0
    clock = 0
    for start, length in zip(starts, lengths):
        while clock <= start:
            used &= ~release.pop(clock, 0)
            clock += 1
        bit = ~used & (used + 1)
        if length > 0:
            used |= bit
            release[start + length] = bit
        result.append(bit.bit_length())
    return result
