int total(List<Integer> quantities, List<Integer> prices) {
    int n = Math.min(quantities.size(), prices.size());
    List<Integer> paid = new ArrayList<>(), received = new ArrayList<>();
    for (int i = 0; i < n; i++) {
        int quantity = quantities.get(i);
        if (quantity >= 0) paid.addAll(Collections.nCopies(quantity, prices.get(i)));
        else received.addAll(Collections.nCopies(Math.min(-quantity, paid.size() - received.size()), prices.get(i)));
    }
    int out = received.stream().mapToInt(Integer::intValue).sum();
    int in = paid.subList(0, paid.size()).stream().mapToInt(Integer::intValue).sum();
    return out - in;
}
