def decode(data):
    """Reads from one iterator; running out of bytes within a block ends everything."""
    source = iter(data)
    result = []
    for n in source:
        try:
            if n <= 127:
                result.extend([next(source) for _ in range(n + 1)])
            elif n >= 129:
                value = next(source)
                result.extend(value for _ in range(n, 257))
        except (StopIteration, RuntimeError):
            return [-1]
    return result
