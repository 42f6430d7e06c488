def ends(needs, quantum):
    """Counts for each job what runs until its last slice, without playing it."""
    slices = [-(-need // quantum) for need in needs]

    def end(job):
        rounds = slices[job]
        if rounds == 0:
            return 0
        work = turns = 0
        for other, need in enumerate(needs):
            part = rounds if other <= job else rounds - 1
            work += min(need, part * quantum)
            turns += min(slices[other], part)
        # no switch where a job follows itself: the last of a round is the only one of the next
        alone = 0
        for k in range(1, min(max(slices), 11)):
            this = [j for j, s in enumerate(slices) if s >= k]
            following = [j for j, s in enumerate(slices) if s > k]
            if following == this[-1:] and (k < rounds if job >= this[-1] else k < rounds - 1):
                alone += 1
        return work + turns - 1 - alone

    return [end(job) for job in range(len(needs))]
