List<Integer> distribute(int seats, List<Integer> votes) {
    int all = 0;
    for (int v : votes) all += v;
    List<Integer> given = new ArrayList<>(), rests = new ArrayList<>();
    int left = all == 0 ? 0 : seats;
    for (int v : votes) {
        int whole = all == 0 ? 0 : v * seats / all;
        given.add(whole);
        rests.add(all == 0 ? 0 : v * seats - whole * all);
        left -= whole;
    }
    while (left-- > 0) {
        int best = rests.indexOf(Collections.max(rests));
        given.set(best, given.get(best) + 1);
        rests.set(best, -1);
    }
    return given;
}
