def without_comments(text):
    kept = []
    i = 0
    while i < len(text):
        if text.startswith("//", i):
            end = text.find("\n", i)
            i = len(text) if end < 0 else end
        elif text.startswith("/*", i):
            end = text.find("*/", i + 2)
            i = len(text) if end < 0 else end + 2
            kept.append(" ")
        elif text[i] == '"':
            j = i + 1
            while j < len(text) and text[j] != '"':
                j += 2 if text[j] == "\\" else 1
            kept.append(text[i : j + 1])
            i = j + 1
        else:
            kept.append(text[i])
            i += 1
    return "".join(kept)
