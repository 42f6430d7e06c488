boolean intersect(int[] first, int[] second) {
    boolean boxes = Math.max(first[0], first[2]) >= Math.min(second[0], second[2])
            && Math.max(second[0], second[2]) >= Math.min(first[0], first[2])
            && Math.max(first[1], first[3]) >= Math.min(second[1], second[3])
            && Math.max(second[1], second[3]) >= Math.min(first[1], first[3]);
    return boxes && straddles(first, second) && straddles(second, first);
}

private boolean straddles(int[] line, int[] other) {
    long left = area(line[0], line[1], line[2], line[3], other[0], other[1]);
    long right = area(line[0], line[1], line[2], line[3], other[2], other[3]);
    return left * right <= 0;
}

private long area(long ax, long ay, long bx, long by, long cx, long cy) {
    return ax * (by - cy) + bx * (cy - ay) + cx * (ay - by);
}
