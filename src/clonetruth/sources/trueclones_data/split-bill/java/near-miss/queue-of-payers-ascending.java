static List<Integer> byQueue(int amount, int people) {
    PriorityQueue<Integer> payers = new PriorityQueue<>(Collections.nCopies(people, 0));
    while (amount-- > 0) {
        payers.add(payers.remove() + 1);
    }
    List<Integer> paid = new ArrayList<>(payers);
    paid.sort(Comparator.naturalOrder());
    return paid;
}
