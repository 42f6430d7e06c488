def realised(quantities, prices):
    """Numbers all pieces in the order of buying: the i-th piece sold is the i-th piece bought."""
    bought, sold, total = [], 0, 0
    for quantity, price in zip(quantities, prices):
        bought.extend(price for _ in range(quantity))
        for _ in range(-quantity):
            if sold == len(bought):
                break
            total += price - bought[sold]
        sold = min(len(bought), sold + max(0, -quantity))
    return total
