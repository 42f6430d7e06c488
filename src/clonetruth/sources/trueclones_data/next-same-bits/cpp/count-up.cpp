static int onesIn(int n) {
    int ones = 0;
    for (; n; n &= n - 1) ones++;
    return ones;
}

int following(int number) {
    const int wanted = onesIn(number);
    do number++;
    while (onesIn(number) != wanted);
    return number;
}
