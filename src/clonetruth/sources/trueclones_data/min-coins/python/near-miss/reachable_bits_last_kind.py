def coins_needed(coins, amount):
    reachable, count = 1, 0  # bit t: total t can be paid with count coins
    seen = 0
    while not reachable >> amount & 1:
        seen |= reachable
        following = 0
        for coin in coins:
            following = reachable << coin
        reachable = following & ~seen & ((1 << (amount + 1)) - 1)
        count += 1
        if reachable == 0:
            return -1
    return count
