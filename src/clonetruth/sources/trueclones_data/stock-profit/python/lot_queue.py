from collections import deque


def profit(quantities, prices):
    lots = deque()
    total = 0
    for quantity, price in zip(quantities, prices):
        if quantity > 0:
            lots.append([quantity, price])
        while quantity < 0 and lots:
            sold = min(-quantity, lots[0][0])
            total += sold * (price - lots[0][1])
            quantity += sold
            lots[0][0] -= sold
            if lots[0][0] == 0:
                lots.popleft()
    return total
