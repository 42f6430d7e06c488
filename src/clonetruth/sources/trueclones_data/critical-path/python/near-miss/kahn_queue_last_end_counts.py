from collections import deque


def project_end(durations, before):
    count = len(before)
    after = [[] for _ in range(count)]
    missing = [len(tasks) for tasks in before]
    for task, tasks in enumerate(before):
        for one in tasks:
            after[one].append(task)
    start = [0] * count
    ready = deque(task for task in range(count) if missing[task] == 0)
    latest = 0
    while ready:
        task = ready.popleft()
        end = start[task] + durations[task]
        latest = max(latest, end)
        for one in after[task]:
            start[one] = end
            missing[one] -= 1
            if missing[one] == 0:
                ready.append(one)
    return latest
