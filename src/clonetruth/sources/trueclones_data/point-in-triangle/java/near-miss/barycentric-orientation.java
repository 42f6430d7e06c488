int where(List<List<Integer>> corners, int x, int y) {
    int ux = corners.get(1).get(0) - corners.get(0).get(0), uy = corners.get(1).get(1) - corners.get(0).get(1);
    int vx = corners.get(2).get(0) - corners.get(0).get(0), vy = corners.get(2).get(1) - corners.get(0).get(1);
    int px = x - corners.get(0).get(0), py = y - corners.get(0).get(1);
    int det = ux * vy - uy * vx;
    if (det == 0) {
        boolean on = onSegment(0, 0, ux, uy, px, py) || onSegment(0, 0, vx, vy, px, py) || onSegment(ux, uy, vx, vy, px, py);
        return on ? 0 : -1;
    }
    // weights of the second and third corner, times the determinant
    int s = (px * vy - py * vx) * Integer.signum(det);
    int r = (ux * py - uy * px) * Integer.signum(det);
    int rest = det - s - r;
    return Integer.signum(Math.min(s, Math.min(r, rest)));
}

private boolean onSegment(int ax, int ay, int bx, int by, int px, int py) {
    if ((bx - ax) * (py - ay) != (by - ay) * (px - ax)) return false;
    return (px - ax) * (px - bx) <= 0 && (py - ay) * (py - by) <= 0;
}
