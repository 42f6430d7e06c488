def split_bill(amount, people):
    each, rest = divmod(amount, people)
    return [each + rest] * rest + [each] * (people - rest)
