def rank(word):
    number = 0
    while word:
        number ^= word
        word >>= 1
    return number
