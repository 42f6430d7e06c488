def number_of(code):
    result = 0
    for place in range(30):
        ones = bin(code >> place).count("1")
        result |= (ones & 1) << place
    return result
