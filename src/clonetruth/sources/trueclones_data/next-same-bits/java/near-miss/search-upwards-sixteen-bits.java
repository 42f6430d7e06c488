static int next(int number) {
    int wanted = Integer.bitCount(number);
    int candidate = number + 1;
    while (Integer.bitCount(candidate) != wanted && candidate >> 15 == 0) candidate++;
    return candidate;
}
