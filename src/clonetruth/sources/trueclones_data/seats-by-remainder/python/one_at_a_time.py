from fractions import Fraction


def distribute(seats, votes):
    everyone = sum(votes) or 1
    shares = [Fraction(seats * v, everyone) for v in votes]
    given = [int(share) for share in shares]
    left = seats - sum(given) if any(votes) else 0
    while left:
        gaps = [share - got for share, got in zip(shares, given)]
        given[gaps.index(max(gaps))] += 1
        left -= 1
    return given
