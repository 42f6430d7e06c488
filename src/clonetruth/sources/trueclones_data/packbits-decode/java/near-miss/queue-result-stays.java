List<Integer> inflate(List<Integer> data) {
    Queue<Integer> bytes = new LinkedList<>(data);
    LinkedList<Integer> result = new LinkedList<>();
    while (!bytes.isEmpty()) {
        int header = bytes.remove();
        if (header == 128) continue;
        boolean run = header > 128;
        int count = run ? 257 - header : header + 1;
        if (bytes.size() < (run ? 1 : count)) {
            result.add(-1);
            break;
        }
        while (count-- > 0) result.add(run && count > 0 ? bytes.peek() : bytes.remove());
    }
    return result;
}
