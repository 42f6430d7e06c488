def fit(text, limit):
    return text.encode("utf-8")[:limit].decode("utf-8", errors="ignore")
