def is_valid_number(number):
    """Sums the odd and the even places by slices."""
    compact = "".join(number.split(" "))
    if len(compact) <= 1 or set(compact) - set("0123456789"):
        return False
    kept = map(int, compact[-2::-2])
    doubled = (divmod(2 * int(d), 10) for d in compact[-1::-2])
    return (sum(kept) + sum(map(sum, doubled))) % 10 == 0
