def roman_from_strokes(count):
    """Writes strokes, bundles them as the Romans did, and contracts the fours and nines."""
    text = "I" * count
    signs = "IVXLCDM"
    for k in range(6):
        bundle = 5 if k % 2 == 0 else 2
        text = text.replace(signs[k] * bundle, signs[k + 1])
    for k in (4, 2, 0):
        one, five, ten = signs[k : k + 3]
        text = text.replace(five + one * 4, one + ten).replace(one * 4, one + five)
    return text
