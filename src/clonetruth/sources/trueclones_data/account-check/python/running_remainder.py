def check_account(number):
    letters = [c for c in number if c != " "]
    if not 5 <= len(letters) <= 24:
        return False
    for place, c in enumerate(letters):
        upper = "A" <= c <= "Z"
        digit = "0" <= c <= "9"
        if place < 2 and not upper or 2 <= place < 4 and not digit or not (upper or digit):
            return False
    remainder = 0
    for c in letters[4:] + letters[:4]:
        if c <= "9":
            remainder = (remainder * 10 + int(c)) % 97
        else:
            remainder = (remainder * 100 + ord(c) - 55) % 97
    return remainder == 1
