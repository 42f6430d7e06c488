def to_letters(index):
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    if index <= 26:
        return alphabet[index - 1]
    head = (index - 1) // 26
    return to_letters(head) + alphabet[(index - 1) % 26]
