static List<String> mostFrequent(String[] words, int k) {
    HashMap<String, int[]> counter = new HashMap<>();
    for (String w : words) counter.computeIfAbsent(w, x -> new int[1])[0]++;
    PriorityQueue<String> queue = new PriorityQueue<>((a, b) -> {
        int byCount = Integer.compare(counter.get(b)[0], counter.get(a)[0]);
        return byCount != 0 ? byCount : a.length() != b.length() ? a.length() - b.length() : a.compareTo(b);
    });
    queue.addAll(counter.keySet());
    List<String> out = new ArrayList<>();
    int last = 0;
    while (k > 0 && !queue.isEmpty()) {
        int count = counter.get(queue.peek())[0];
        if (out.size() >= k && count < last) break;
        last = count;
        out.add(queue.poll());
    }
    return out;
}
