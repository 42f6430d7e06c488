def is_balanced(text):
    partner = {")": "(", "]": "[", "}": "{"}
    opened = []
    for ch in text:
        if ch in partner.values():
            opened.append(ch)
        elif ch in partner:
            if not opened or opened.pop() not in partner.values():
                return False
    return not opened
