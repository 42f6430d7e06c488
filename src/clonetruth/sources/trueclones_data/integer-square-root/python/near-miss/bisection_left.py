from bisect import bisect_right


def floor_sqrt(value):
    """Binary search among the squares of all candidates, which are never stored."""

    class Squares:
        def __len__(self):
            return 94906267

        def __getitem__(self, index):
            return index * index

    return bisect_right(Squares(), value - 1) - 1
