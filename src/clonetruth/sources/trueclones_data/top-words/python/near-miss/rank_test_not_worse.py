def frequent(tokens, k):
    """A word is taken when fewer than k words are more frequent than it."""
    distinct = sorted(set(tokens))
    frequency = [tokens.count(word) for word in distinct]
    taken = []
    for word, own in zip(distinct, frequency):
        better = sum(1 for other in frequency if other >= own)
        if better < k:
            taken.append((-own, word))
    return [word for _, word in sorted(taken)]
