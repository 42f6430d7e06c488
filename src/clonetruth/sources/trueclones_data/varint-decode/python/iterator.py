def varints(data):
    stream = iter(data)
    result = []
    for first in stream:
        digits = [first]
        while digits[-1] >= 128 and len(digits) < 4:
            digits.append(next(stream, 255))
        if digits[-1] >= 128:
            return result + [-1]
        result.append(sum((digit % 128) * 128**place for place, digit in enumerate(digits)))
    return result
