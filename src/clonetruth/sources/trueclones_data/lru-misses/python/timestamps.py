def page_faults(frames, pages):
    last_use = {}
    count = 0
    for now, page in enumerate(pages):
        if page not in last_use:
            count += 1
            if len(last_use) >= frames and last_use:
                oldest = min(last_use, key=last_use.get)
                del last_use[oldest]
        if frames:
            last_use[page] = now
    return count
