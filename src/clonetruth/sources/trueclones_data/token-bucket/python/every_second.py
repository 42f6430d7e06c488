def simulate(capacity, interval, times):
    left = list(times)
    answers = []
    bucket = capacity
    for second in range(61):
        if second % interval == 0 and bucket < capacity:
            bucket += 1
        while left and left[0] == second:
            left.pop(0)
            if bucket > 0:
                bucket -= 1
                answers.append(bucket)
            else:
                answers.append(-1)
    return answers
