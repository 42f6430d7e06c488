def prefix(text, limit):
    if len(text.encode("utf-8")) <= limit:
        return text
    return prefix(text[:-1], limit)
