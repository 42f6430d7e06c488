public static long isqrt(long number) {
    long root = (long) Math.sqrt((double) number);
    if ((int) root * (int) root > number) {
        root--;
    } else if ((root + 1) * (root + 1) <= number) {
        root++;
    }
    return root;
}
