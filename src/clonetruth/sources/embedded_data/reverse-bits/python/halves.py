def flip_bits(w):
    def flip(w, size):
        if size == 1:
            return w
        half = size // 2
        high, low = w >> half, w & ((1 << half) - 1)
        return flip(low, half) << half | flip(high, half)

    return flip(w, 32)
