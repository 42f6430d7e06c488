static int[] finish(int[] needs, int quantum) {
    int[] left = needs.clone();
    int[] end = new int[needs.length];
    Queue<Integer> queue = new ArrayDeque<>();
    for (int i = 0; i < needs.length; i++) {
        if (needs[i] > 0) queue.add(i);
    }
    int now = 0;
    Integer previous = null;
    while (!queue.isEmpty()) {
        Integer job = queue.poll();
        if (previous == null || !previous.equals(job)) now++;
        int run = Math.min(left[job], quantum);
        now += run;
        left[job] -= run;
        if (left[job] == 0) end[job] = now;
        else queue.add(job);
        previous = job;
    }
    return end;
}
