from collections import deque


def finish_times(needs, quantum):
    finished = [0] * len(needs)
    left = dict(enumerate(needs))
    waiting = deque(job for job in left if left[job])
    now, last = 0, None
    while waiting:
        job = waiting.popleft()
        if last not in (None, job):
            now += 1
        last = job
        slice_ = min(quantum, left[job])
        now += slice_
        left[job] -= slice_
        if left[job]:
            waiting.append(job)
        else:
            finished[job] = now
    return finished
