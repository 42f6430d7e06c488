def numbers(starts, lengths):
    given = []
    for i in range(min(len(starts), len(lengths))):
        taken = {given[j] for j in range(i) if starts[j] + lengths[j] > starts[i]}
        room = 1
        while taken and room <= max(taken):
            room += 1
        given.append(room)
    return given
