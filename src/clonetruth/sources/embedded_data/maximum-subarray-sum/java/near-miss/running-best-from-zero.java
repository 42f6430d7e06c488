public static int maxSubarray(int[] values) {
    if (values.length == 0) {
        return 0;
    }
    int best = 0;
    int endingHere = values[0];
    for (int i = 1; i < values.length; i++) {
        endingHere = Math.max(values[i], endingHere + values[i]);
        best = Math.max(best, endingHere);
    }
    return best;
}
