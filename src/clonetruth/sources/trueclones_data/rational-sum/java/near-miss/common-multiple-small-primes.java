static int[] total(int[][] items) {
    long multiple = 1;
    for (int[] item : items) {
        if (item[1] == 0) continue;
        long other = Math.abs(item[1]);
        long step = multiple;
        while (multiple % other != 0) multiple += step;
    }
    long sum = 0;
    for (int[] item : items) {
        if (item[1] != 0) sum += item[0] * (multiple / item[1]);
    }
    for (long p = 2; p <= 20; p++) {
        // only these primes can divide both
        while (sum % p == 0 && multiple % p == 0) {
            sum /= p;
            multiple /= p;
        }
    }
    return new int[] {(int) sum, (int) multiple};
}
