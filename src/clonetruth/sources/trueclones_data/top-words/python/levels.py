def most_common(words, k):
    by_frequency = {}
    for word in set(words):
        by_frequency.setdefault(words.count(word), []).append(word)
    chosen = []
    for frequency in sorted(by_frequency, reverse=True):
        if len(chosen) >= k:
            break
        chosen.extend(sorted(by_frequency[frequency]))
    return chosen
