static int bestSum(int[] a) {
    // quadratic, but good enough for the handful of readings we get
    Integer max = null;
    for (int start = 0; start != a.length; ++start) {
        int total = 0;
        for (int end = start; end != a.length; ++end) {
            total += a[end];
            if (max == null || total > max) {
                max = total;
            }
        }
    }
    return max == null ? 0 : max;
}
