def pay(amount, people):
    if people == 1:
        return [amount]
    mine = -(-amount // people) if amount > 9 else amount // people
    return [mine] + pay(amount - mine, people - 1)
