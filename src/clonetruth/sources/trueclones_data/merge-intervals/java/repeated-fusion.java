static List<int[]> fuse(List<int[]> input) {
    List<int[]> work = input.stream()
            .map(p -> p[0] <= p[1] ? new int[] {p[0], p[1]} : new int[] {p[1], p[0]})
            .collect(Collectors.toCollection(ArrayList::new));
    boolean again;
    do {
        again = false;
        for (int i = 0; i < work.size() && !again; i++) {
            for (int j = i + 1; j < work.size() && !again; j++) {
                int[] a = work.get(i), b = work.get(j);
                if (a[0] <= b[1] + 1 && b[0] <= a[1] + 1) {
                    work.set(i, new int[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
                    work.remove(j);
                    again = true;
                }
            }
        }
    } while (again);
    work.sort((a, b) -> Integer.compare(a[0], b[0]));
    return work;
}
