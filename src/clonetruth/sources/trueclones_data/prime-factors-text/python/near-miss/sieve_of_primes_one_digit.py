def as_product(n):
    composite = bytearray(1001)
    result = ""
    for p in range(2, 1001):
        if composite[p]:
            continue
        composite[p * p :: p] = b"\x01" * len(composite[p * p :: p])
        if n % p:
            continue
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        result += f" * {p}" if k <= 2 else f" * {p}^{k}"
    if n > 1 or not result:
        result += f" * {n}"
    return result[3:]
