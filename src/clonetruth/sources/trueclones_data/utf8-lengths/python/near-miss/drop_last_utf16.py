def prefix(text, limit):
    if len(text.encode("utf-16-le")) <= limit:
        return text
    return prefix(text[:-1], limit)
