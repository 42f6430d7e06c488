def split_bill(amount, people):
    each, rest = divmod(amount, people)
    return [each + 1] * rest + [each] * (people - rest)
