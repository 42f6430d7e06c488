def last_end(durations, before):
    """Repeats until nothing changes; what is still unknown then never begins."""
    ends = {}
    changed = True
    while changed:
        changed = False
        for task, needed in enumerate(before):
            if task in ends or needed and not any(one in ends for one in needed):
                continue
            begin = 0
            for one in needed:
                if ends.get(one, 0) > begin:
                    begin = ends[one]
            ends[task] = begin + durations[task]
            changed = True
    return max(ends.values()) if ends else 0
