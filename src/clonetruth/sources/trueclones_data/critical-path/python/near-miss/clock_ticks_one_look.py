def simulate(durations, before):
    waiting = set(range(len(before)))
    running, finished = {}, set()
    time = 0
    while True:
        started = True
        if started:
            started = False
            for task in sorted(waiting):
                if finished.issuperset(before[task]):
                    waiting.remove(task)
                    started = True
                    if durations[task]:
                        running[task] = durations[task]
                    else:
                        finished.add(task)
        if not running:
            return time
        time += 1
        for task in list(running):
            running[task] -= 1
            if running[task] == 0:
                del running[task]
                finished.add(task)
