// Corners change how many rectangles lie over a cell; sums along both axes give the numbers.
public int Area(int[][] rectangles)
{
    var change = new int[42, 42];
    foreach (int[] r in rectangles)
    {
        int x1 = Math.Min(r[0], r[2]) + 21, x2 = Math.Max(r[0], r[2]) + 21;
        int y1 = Math.Min(r[1], r[3]) + 21, y2 = Math.Max(r[1], r[3]) + 21;
        change[x1, y1]++;
        change[x2, y2]++;
        change[x1, y2]--;
        change[x2, y1]--;
    }
    int area = 0;
    for (int x = 1; x < 42; x++)
    {
        for (int y = 1; y < 42; y++)
        {
            change[x, y] += change[x - 1, y] + change[x, y - 1] - change[x - 1, y - 1];
            if (change[x, y] > 0) area++;
        }
    }
    return area;
}
