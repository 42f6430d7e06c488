def pack(letters):
    stack = []
    for ch in letters:
        if stack and stack[0][0] == ch:
            stack[0][1] += 1
        else:
            stack.append([ch, 1])
    return "".join(ch + str(n) for ch, n in stack)
