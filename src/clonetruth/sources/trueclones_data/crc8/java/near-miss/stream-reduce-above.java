static int crc(List<Integer> bytes) {
    return bytes.stream().reduce(0, (register, next) -> step(register ^ next, 8));
}

private static int step(int value, int times) {
    if (times == 0) return value;
    int shifted = value << 1;
    return step(shifted > 256 ? shifted ^ 0x107 : shifted, times - 1);
}
