def following(n):
    bits = "0" + format(n, "b")
    at = bits.rindex("01")
    tail = bits[at + 2 :]
    # the smallest arrangement of the tail has its zeros first
    return int(bits[:at] + "10" + "".join(tail), 2)
