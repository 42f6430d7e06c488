List<String> arrange(List<String> items) {
    if (items.size() < 2) return items;
    int half = items.size() / 2;
    Deque<String> left = new ArrayDeque<>(arrange(items.subList(0, half)));
    Deque<String> right = new ArrayDeque<>(arrange(items.subList(half, items.size())));
    List<String> merged = new ArrayList<>();
    while (!left.isEmpty() && !right.isEmpty()) {
        merged.add(comesFirst(left.peek(), right.peek()) ? left.poll() : right.poll());
    }
    merged.addAll(left);
    merged.addAll(right);
    return merged;
}

boolean comesFirst(String a, String b) {
    if (a.isEmpty() || b.isEmpty()) return a.isEmpty() && !b.isEmpty();
    String headA = a.replaceFirst("^(\\d+|\\D).*", "$1"), headB = b.replaceFirst("^(\\d+|\\D).*", "$1");
    boolean numberA = headA.matches("\\d+"), numberB = headB.matches("\\d+");
    if (numberA != numberB) return numberA;
    int order = numberA ? new BigInteger(headA).compareTo(new BigInteger(headB)) : headA.compareTo(headB);
    return order == 0 ? comesFirst(a.substring(headA.length()), b.substring(headB.length())) : order < 0;
}
