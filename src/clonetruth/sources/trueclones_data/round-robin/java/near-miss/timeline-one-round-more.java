List<Integer> endings(int[] needs, int quantum) {
    // who runs in each slice, round by round
    List<Integer> slices = new ArrayList<>();
    int most = Arrays.stream(needs).max().orElse(0);
    for (int round = 0; round * quantum < most; round++) {
        for (int job = 0; job < needs.length; job++) {
            if (needs[job] >= round * quantum && needs[job] > 0) slices.add(job);
        }
    }
    Integer[] ends = new Integer[needs.length];
    Arrays.fill(ends, 0);
    int[] left = needs.clone();
    int clock = 0;
    for (int s = 0; s < slices.size(); s++) {
        int job = slices.get(s);
        if (s > 0 && slices.get(s - 1) != job) clock++;
        int run = Math.min(quantum, left[job]);
        left[job] -= run;
        clock += run;
        ends[job] = clock;
    }
    return Arrays.asList(ends);
}
