public int[] Assign(int[] starts, int[] lengths)
{
    int n = Math.Min(starts.Length, lengths.Length);
    var table = new bool[n, 27];
    var result = new int[n];
    for (int i = 0; i < n; i++)
    {
        int room = 0;
        while (table[room, starts[i]]) room++;
        for (int hour = starts[i]; hour <= starts[i] + lengths[i]; hour++) table[room, hour] = true;
        result[i] = room + 1;
    }
    return result;
}
