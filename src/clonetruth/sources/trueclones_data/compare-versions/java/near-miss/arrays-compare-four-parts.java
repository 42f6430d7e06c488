int order(String a, String b) {
    return Integer.signum(Arrays.compare(numbers(a), numbers(b)));
}

private static long[] numbers(String version) {
    long[] parsed = Pattern.compile("\\.").splitAsStream(version).mapToLong(Long::valueOf).toArray();
    return Arrays.copyOf(parsed, 4);
}
