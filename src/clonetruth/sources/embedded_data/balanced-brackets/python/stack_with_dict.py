def is_balanced(text):
    partner = {")": "(", "]": "[", "}": "{"}
    opened = []
    for ch in text:
        if ch in partner.values():
            opened.append(ch)
        elif ch in partner:
            if not opened or opened.pop() != partner[ch]:
                return False
    return not opened
