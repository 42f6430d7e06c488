int doubledArea(List<List<Integer>> points) {
    List<List<Integer>> rest = new ArrayList<>(new HashSet<>(points));
    if (rest.size() < 3) return 0;
    List<Integer> pivot = Collections.min(rest, Comparator.<List<Integer>>comparingInt(p -> p.get(1)).thenComparing(p -> p.get(0)));
    rest.remove(pivot);
    rest.sort((a, b) -> {
        int side = cross(pivot, a, b);
        return side != 0 ? -side : Integer.compare(distance(pivot, a), distance(pivot, b));
    });
    Deque<List<Integer>> stack = new ArrayDeque<>(List.of(pivot));
    for (List<Integer> p : rest) {
        List<Integer> top = stack.pop();
        while (!stack.isEmpty() && cross(stack.peek(), top, p) <= 0) top = stack.pop();
        stack.push(top);
        stack.push(p);
    }
    // triangles that share the pivot
    int sum = 0;
    List<Integer> previous = stack.pop();
    for (List<Integer> p : stack) {
        sum += cross(pivot, p, previous);
        previous = p;
    }
    return sum;
}

int cross(List<Integer> o, List<Integer> a, List<Integer> b) {
    return (a.get(0) - o.get(0)) * (b.get(1) - o.get(1)) - (a.get(1) - o.get(1)) * (b.get(0) - o.get(0));
}

int distance(List<Integer> a, List<Integer> b) {
    return Math.abs(a.get(0) - b.get(0)) + Math.abs(a.get(1) - b.get(1));
}
