def balanced(s: str) -> bool:
    """Keeps the open brackets as the base-4 digits of one number."""
    state = 0
    for c in s:
        code = "([{)]}".find(c)
        if code < 0:
            continue
        if code < 3:
            state = state * 4 + code + 1
        elif state % 4 == code - 2:
            state //= 4
        else:
            return False
    return state == 0
