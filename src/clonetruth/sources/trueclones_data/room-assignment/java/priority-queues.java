List<Integer> assign(List<Integer> starts, List<Integer> lengths) {
    PriorityQueue<int[]> busy = new PriorityQueue<>(Comparator.comparingInt(meeting -> meeting[0]));
    PriorityQueue<Integer> free = new PriorityQueue<>();
    List<Integer> rooms = new ArrayList<>();
    int next = 1;
    Iterator<Integer> length = lengths.iterator();
    for (int start : starts) {
        if (!length.hasNext()) break;
        while (!busy.isEmpty() && busy.peek()[0] <= start) free.add(busy.poll()[1]);
        int room = free.isEmpty() ? next++ : free.poll();
        busy.add(new int[] {start + length.next(), room});
        rooms.add(room);
    }
    return rooms;
}
