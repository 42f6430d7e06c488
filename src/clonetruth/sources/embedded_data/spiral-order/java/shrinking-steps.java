public static int[] unroll(int[][] m) {
    if (m.length == 0) return new int[0];
    int height = m.length, width = m[0].length;
    IntStream.Builder out = IntStream.builder();
    int[] flat = Arrays.stream(m).flatMapToInt(Arrays::stream).toArray();
    int[] jump = {1, width, -1, -width};
    int[] steps = {width, height - 1};
    int at = -1;
    for (int side = 0; steps[side % 2] > 0; side++) {
        for (int k = 0; k < steps[side % 2]; k++) {
            at += jump[side % 4];
            out.add(flat[at]);
        }
        // every second side of one direction is shorter by one
        steps[side % 2]--;
    }
    return out.build().toArray();
}
