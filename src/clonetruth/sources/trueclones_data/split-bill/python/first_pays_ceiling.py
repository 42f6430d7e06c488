def pay(amount, people):
    if people == 1:
        return [amount]
    mine = -(-amount // people)
    return [mine] + pay(amount - mine, people - 1)
