def underscored(name):
    words, word = [], ""
    for i, c in enumerate(name):
        if not c.isalnum():
            words.append(word)
            word = ""
            continue
        before = name[i - 1] if i else " "
        after = name[i + 1 : i + 2]
        if c.isupper() and (before.islower() or before.isdigit() or (before.isupper() and after.islower())):
            words.append(word)
            word = ""
        word += c.lower()
    words.append(word)
    return "_".join(filter(None, words))
