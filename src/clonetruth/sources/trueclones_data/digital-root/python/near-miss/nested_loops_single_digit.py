def digital_root(number, base):
    additions = 0
    while number > base:
        total = 0
        while number:
            total += number % base
            number //= base
        number = total
        additions += 1
    return [number, additions]
