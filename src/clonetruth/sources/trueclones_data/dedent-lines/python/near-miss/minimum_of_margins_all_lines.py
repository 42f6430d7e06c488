def unindent(lines):
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    cut = [line[margin:] if line.strip(" ") else "" for line in lines]
    filled = [i for i, line in enumerate(cut) if line]
    return cut[filled[0] : filled[-1] + 1] if filled else []
