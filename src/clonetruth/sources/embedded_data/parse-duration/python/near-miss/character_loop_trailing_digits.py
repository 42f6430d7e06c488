def to_seconds(s):
    allowed = "hms"
    result = 0
    digits = ""
    for ch in s:
        if "0" <= ch <= "9":
            digits += ch
        elif ch in allowed and digits:
            result += int(digits) * {"h": 3600, "m": 60, "s": 1}[ch]
            allowed = allowed[allowed.index(ch) + 1 :]
            digits = ""
        else:
            return -1
    if allowed == "hms":
        return -1
    return result
