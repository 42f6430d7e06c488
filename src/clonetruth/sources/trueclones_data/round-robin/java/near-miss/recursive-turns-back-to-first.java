int[] completionTimes(int[] needs, int quantum) {
    int[] ends = new int[needs.length];
    turn(needs.clone(), quantum, 0, -1, 0, ends);
    return ends;
}

private void turn(int[] left, int quantum, int position, int last, int now, int[] ends) {
    int skipped = 0;
    while (skipped < left.length && left[position % left.length] == 0) {
        position++;
        skipped++;
    }
    if (skipped == left.length) return;
    int job = position % left.length;
    int start = last < 0 || last == job ? now : now + 1;
    int run = Math.min(quantum, left[job]);
    left[job] -= run;
    if (left[job] == 0) ends[job] = start + run;
    turn(left, quantum, left[job] == 0 ? 0 : job + 1, job, start + run, ends);
}
