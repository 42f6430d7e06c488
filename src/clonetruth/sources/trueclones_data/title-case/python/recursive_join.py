def capitalised(text):
    small = frozenset(["a", "an", "and", "of", "or", "the", "to"])
    tokens = text.lower().replace("-", " - ").split(" ")
    # "a-b" becomes a, -, b; an ordinary space separates two tokens
    real = [k for k, token in enumerate(tokens) if token not in ("", "-")]
    result = []
    for k, token in enumerate(tokens):
        keep = token in small and k != real[0] and k != real[-1]
        result.append(token if keep else token.capitalize())
    return " ".join(result).replace(" - ", "-")
