def to_title(s):
    """One pass over the characters; a word is finished when its end is known."""
    out = []
    word = ""
    seen_word = False
    end = len(s.rstrip(" -"))
    for i, c in enumerate(s + " "):
        if c not in " -":
            word += c.lower()
            continue
        if word:
            inner = seen_word and i < end
            if not (inner and is_minor(word)):
                word = word[:1].upper() + word[1:]
            seen_word = True
        out.append(word + c)
        word = ""
    return "".join(out)[:-1]


def is_minor(word):
    return word in ("a", "an", "and", "of", "or", "the", "to")
