def completion(needs, quantum):
    rest = needs[:]
    done = [0 for _ in rest]
    time, running = 0, -1
    while any(rest):
        for i in range(len(rest)):
            if rest[i] == 0:
                continue
            if running >= 0 and running != i:
                time += 1
            running = i
            time += min(rest[i], quantum)
            rest[i] = max(rest[i] - quantum, 0)
            if not rest[i]:
                done[i] = time
    return done
