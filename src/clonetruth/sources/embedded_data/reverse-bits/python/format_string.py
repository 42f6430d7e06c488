def reverse_bits(word):
    return int(format(word, "032b")[::-1], 2)
