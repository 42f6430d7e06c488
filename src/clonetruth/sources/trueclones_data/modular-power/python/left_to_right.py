def mod_power(x, n, m):
    value = 1
    for bit in bin(n)[2:]:
        value = value * value % m
        if bit == "1":
            value = value * x % m
    return value % m
