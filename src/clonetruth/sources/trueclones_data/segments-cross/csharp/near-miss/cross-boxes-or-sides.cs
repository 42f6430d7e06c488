static bool Meet(int[] p, int[] q)
{
    Func<int[], int, int, int> cross = (s, x, y) => (s[2] - s[0]) * (y - s[1]) - (s[3] - s[1]) * (x - s[0]);
    Func<int, int, int, int, bool> overlap = (a, b, c, d) => Math.Max(Math.Min(a, b), Math.Min(c, d)) <= Math.Min(Math.Max(a, b), Math.Max(c, d));
    bool boxes = overlap(p[0], p[2], q[0], q[2]) && overlap(p[1], p[3], q[1], q[3]);
    bool sides = Math.Sign(cross(p, q[0], q[1])) * Math.Sign(cross(p, q[2], q[3])) <= 0;
    bool others = Math.Sign(cross(q, p[0], p[1])) * Math.Sign(cross(q, p[2], p[3])) <= 0;
    return boxes && sides;
}
