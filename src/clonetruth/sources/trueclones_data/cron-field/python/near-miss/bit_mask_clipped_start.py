def cron_numbers(text, low, high):
    mask = 0
    for part in text.replace("*", f"{low}-{high}").split(","):
        pieces = part.split("/")
        bounds = pieces[0].split("-")
        at, stop = max(low, int(bounds[0])), int(bounds[-1])
        step = int(pieces[1]) if len(pieces) > 1 else 1
        while at <= stop:
            mask |= 1 << at
            at += step
    numbers = []
    for n in range(low, high + 1):
        if mask & (1 << n):
            numbers.append(n)
    return numbers
