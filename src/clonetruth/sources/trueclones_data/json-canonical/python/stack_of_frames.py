def reformat(text):
    tokens = tokenize(text)
    if tokens is None:
        return "error"
    # a frame is [kind, finished parts, key, expectation]
    frames = [["top", [], None, "value"]]
    for token in tokens:
        frame = frames[-1]
        kind, parts, key, state = frame
        if token in ("[", "{") and state in ("value", "value or end"):
            frames.append([token, [], None, "value or end" if token == "[" else "key or end"])
        elif token in ("]", "}"):
            if kind != {"]": "[", "}": "{"}[token] or state not in ("value or end", "key or end", "comma"):
                return "error"
            frames.pop()
            if not finish(frames[-1], close(kind, parts)):
                return "error"
        elif token == "," and state == "comma" and kind != "top":
            frame[3] = "value" if kind == "[" else "key"
        elif token == ":" and state == "colon":
            frame[3] = "value"
        elif token[0] == '"' and state in ("key", "key or end"):
            frame[2], frame[3] = token[1:-1], "colon"
        elif token not in list("[]{},:") and state in ("value", "value or end"):
            finish(frame, token)
        else:
            return "error"
    kind, parts, _, state = frames[-1]
    return parts[0] if kind == "top" and state == "comma" else "error"


def finish(frame, value):
    if frame[3] not in ("value", "value or end"):
        return False
    frame[1].append(value if frame[0] != "{" else (frame[2], value))
    frame[3] = "comma"
    return True


def close(kind, parts):
    if kind == "[":
        return "[" + ",".join(parts) + "]"
    return "{" + ",".join('"%s":%s' % pair for pair in sorted(dict(parts).items())) + "}"


def tokenize(text):
    tokens = []
    i = 0
    while i < len(text):
        c = text[i]
        if c == " ":
            i += 1
        elif c in "[]{},:":
            tokens.append(c)
            i += 1
        elif c == '"':
            end = text.find('"', i + 1)
            if end < 0:
                return None
            tokens.append(text[i : end + 1])
            i = end + 1
        else:
            end = i
            while end < len(text) and text[end].isalnum():
                end += 1
            word = text[i:end]
            number = word.isdigit() and (word == "0" or word[0] != "0")
            if not number and word not in ("true", "false", "null"):
                return None
            tokens.append(word)
            i = end
    return tokens
