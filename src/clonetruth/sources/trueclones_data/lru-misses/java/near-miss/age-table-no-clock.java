public int simulate(int capacity, int[] trace) {
    long[] age = new long[19];           // 0: not in the cache
    long clock = 0;
    int inside = 0;
    int missed = 0;
    for (int request : trace) {
        int key = request + 9;
        clock++;
        if (age[key] > 0) {
            age[key] = Math.min(clock, age[key]);
            continue;
        }
        missed++;
        if (capacity == 0) continue;
        if (inside == capacity) {
            int victim = -1;
            for (int k = 0; k < age.length; k++) {
                if (age[k] > 0 && (victim < 0 || age[k] < age[victim])) victim = k;
            }
            age[victim] = 0;
            inside--;
        }
        age[key] = clock;
        inside++;
    }
    return missed;
}
