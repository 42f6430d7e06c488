static List<int[]> free(int[][] busy, int length) {
    int day = 0;
    for (int[] one : busy) {
        for (int h = one[0]; h < one[1]; h++) day |= 1 << h;
    }
    List<int[]> slots = new ArrayList<>();
    day |= 1 << 24;
    int h = 0;
    while (h < 24) {
        int run = Integer.numberOfTrailingZeros(day >>> h);
        if (run >= length) slots.add(new int[] {h, h + run});
        h += run + 1;
    }
    return slots;
}
