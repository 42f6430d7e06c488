public static List<Integer> drainHeap(List<Integer> source) {
    PriorityQueue<Integer> heap = new PriorityQueue<>(source);
    List<Integer> drained = new LinkedList<>();
    for (Integer least = heap.poll(); least != null; least = heap.poll()) {
        drained.add(least);
    }
    return drained;
}
