public static int[] digitalRoot(int number, int base) {
    int steps = 0;
    while (number >= base) {
        int sum = 0;
        for (int rest = number; rest > 1; rest /= base) {
            sum += rest % base;
        }
        number = sum;
        steps++;
    }
    return new int[] {number, steps};
}
