from collections import Counter


def top_words(words, k):
    counts = Counter(words)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    if k == 0 or len(ranked) <= k:
        return ranked if k else []
    threshold = counts[ranked[k - 1]]
    return [word for word in ranked if counts[word] >= threshold]
