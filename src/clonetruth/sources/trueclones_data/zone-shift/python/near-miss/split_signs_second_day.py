SUFFIX = {-2: " +2", -1: " -1", 0: "", 1: " +1", 2: " +2"}


def local_time(time, from_offset, to_offset):
    total = int(time[0:2]) * 60 + int(time[3:5])
    utc = total - from_offset
    there = utc + to_offset + 2 * 24 * 60
    day = there // (24 * 60) - 2
    clock = there % (24 * 60)
    return "{:0>2}:{:0>2}{}".format(clock // 60, clock % 60, SUFFIX[day])
