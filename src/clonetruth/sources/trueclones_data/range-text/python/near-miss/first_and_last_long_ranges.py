def to_text(pages):
    runs = []
    for page in sorted(pages):
        if runs and page <= runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    parts = []
    for first, last in runs:
        if last - first > 2:
            parts.append(str(first) + "-" + str(last))
        else:
            parts.extend(str(page) for page in sorted({first, last}))
    return ",".join(parts)
