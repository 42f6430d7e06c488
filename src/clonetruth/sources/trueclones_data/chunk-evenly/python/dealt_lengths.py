def even_pieces(sequence, k):
    """Deals the places like cards to find the lengths, then fills them in order."""
    pieces = [[] for _ in range(k)]
    for turn, _ in enumerate(sequence):
        pieces[turn % k].append(None)
    source = iter(sequence)
    for piece in pieces:
        piece[:] = [next(source) for _ in piece]
    return pieces
