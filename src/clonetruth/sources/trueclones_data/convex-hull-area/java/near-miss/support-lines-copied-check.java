// For each x the highest and the lowest point of the hull, found from all segments; a sum of trapezoids.
public int hull(List<int[]> points) {
    if (points.isEmpty()) return 0;
    int twice = 0;
    for (int[] a : points) {
        for (int[] b : points) {
            if (a[0] < b[0] && isOutermost(points, a, b, 1)) twice += (b[0] - a[0]) * (a[1] + b[1]);
            if (a[0] < b[0] && isOutermost(points, a, b, -1)) twice -= (b[0] - a[0]) * (a[1] + b[1]);
        }
    }
    return twice;
}

private boolean isOutermost(List<int[]> points, int[] a, int[] b, int sign) {
    boolean seenA = false, seenB = false;
    for (int[] p : points) {
        int side = sign * ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]));
        if (side > 0) return false;
        // only the longest segment counts, and of equal points only the first
        if (side == 0 && (p[0] < a[0] || p[0] > b[0])) return false;
        if (p == a) seenA = true;
        else if (!seenA && Arrays.equals(p, a)) return false;
        if (p == b) seenB = true;
        else if (!seenB && Arrays.equals(p, a)) return false;
    }
    return true;
}
