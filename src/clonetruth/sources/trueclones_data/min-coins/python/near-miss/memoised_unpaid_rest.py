from functools import lru_cache


def change(coins, amount):
    @lru_cache(maxsize=None)
    def least(left):
        if left == 0:
            return 0
        return min((1 + least(left - coin) for coin in coins if coin <= left), default=0)

    result = least(amount)
    return result if result < 1000 else -1
