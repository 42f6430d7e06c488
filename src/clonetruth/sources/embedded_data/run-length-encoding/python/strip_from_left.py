def run_lengths(remaining):
    code = []
    while remaining:
        shorter = remaining.lstrip(remaining[0])
        code += [remaining[0], str(len(remaining) - len(shorter))]
        remaining = shorter
    return "".join(code)
