def passes(events):
    return sum(one_shift(part) for part in events.split("r"))


def one_shift(part):
    coins = rejected = through = 0
    for letter in part:
        if letter == "c":
            if coins < 3:
                coins += 1
            continue
        if coins == 0:
            rejected += 1
            if rejected > 3:
                return through
        else:
            coins, rejected, through = coins - 1, 0, through + 1
    return through
