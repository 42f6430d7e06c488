public List<Integer> divide(int amount, int people) {
    List<Integer> shares = new ArrayList<>();
    int open = amount;
    // whoever is next pays the rounded-up part of what is still open
    for (int left = people; left > 0; left--) {
        int share = open / left;
        if (open % left != 0) {
            share++;
        }
        shares.add(share);
        open -= share;
    }
    return shares;
}
