static int[] root(int n, int b) {
    int[] sums = IntStream.iterate(n, x -> x > b, x -> digitSum(x, b)).toArray();
    int last = sums.length == 0 ? n : digitSum(sums[sums.length - 1], b);
    return new int[] {last, sums.length};
}

private static int digitSum(int x, int b) {
    return x == 0 ? 0 : x % b + digitSum(x / b, b);
}
