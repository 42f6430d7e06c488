def successor(value):
    zeros = ones = 0
    rest = value
    while rest % 2 == 0:
        rest //= 2
        zeros += 1
    while rest % 2 == 1:
        rest //= 2
        ones += 1
    # rest ends in 0, which becomes 1; one of the ones is used for that
    rest += 1
    return (rest << (zeros + ones)) + 2 ** (ones - 1) - 1
