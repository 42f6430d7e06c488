def rank(word):
    number = 0
    while word > 1:
        number ^= word
        word >>= 1
    return number
