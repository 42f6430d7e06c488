public static int Steps(string from, string to)
{
    var table = new int[from.Length + 1, to.Length + 1];
    for (int i = 0; i <= from.Length; i++)
    {
        for (int j = 0; j <= to.Length; j++)
        {
            if (i * j == 0)
            {
                table[i, j] = i + j;
                continue;
            }
            bool same = from[i - 1] == to[j - 1];
            int best = table[i - 1, j - 1] + (same ? 0 : 1);
            best = Math.Min(best, table[i - 1, j] + 1);
            best = Math.Min(best, table[i, j - 1] + 1);
            if (i > 1 && j > 1 && from[i - 2] == to[j - 1] && from[i - 1] == to[j - 2])
                best = Math.Min(best, table[i - 2, j - 2] + 1);
            table[i, j] = best;
        }
    }
    return table[from.Length, to.Length];
}
