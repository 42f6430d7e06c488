def finish(durations, before):
    done, visiting = {}, set()

    def end(task):
        if task in visiting:
            return None
        if task not in done:
            visiting.add(task)
            ends = [end(one) for one in before[task]]
            visiting.discard(task)
            done[task] = None if None in ends else max(ends, default=0) + durations[task]
        return done[task]

    return max((end(task) for task in range(len(before)) if end(task) is not None), default=0)
