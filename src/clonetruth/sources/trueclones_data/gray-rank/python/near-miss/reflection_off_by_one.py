def position(word):
    """The second half of the code is the first half in reverse order with one more bit."""
    if word < 2:
        return word
    top = 1 << word.bit_length() - 1
    return 2 * top - position(word - top)
