def shares(amount, people):
    """Hand out the bill cent by cent, round and round the table."""
    paid = [0] * people
    seat = 0
    while amount > 0:
        paid[seat] += 1
        amount -= 1
        seat = (seat + 1) % people
    return paid
