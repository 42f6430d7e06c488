def simulate(jobs, quantum):
    order = [i for i, need in enumerate(jobs) if need > 0]
    need = list(jobs)
    result = [0] * len(jobs)
    clock = used = 0
    while order:
        current = order[0]
        clock += 1
        used += 1
        need[current] -= 1
        over = need[current] == 0
        if over:
            result[current] = clock
            order.pop(0)
        elif used == quantum:
            order.append(order.pop(0))
        if over or used == quantum:
            used %= quantum
            if order and order[0] != current:
                clock += 1
    return result
