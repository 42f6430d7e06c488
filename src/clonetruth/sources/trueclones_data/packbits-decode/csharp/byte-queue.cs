static List<int> Expand(List<int> data)
{
    var bytes = new Queue<int>(data);
    var pixels = new List<int>();
    while (bytes.Count > 0)
    {
        int header = bytes.Dequeue();
        if (header == 128)
            continue;
        if (bytes.Count < (header < 128 ? header + 1 : 1))
            return new List<int> { -1 };
        if (header > 128)
        {
            int value = bytes.Dequeue();
            for (int times = 257 - header; times > 0; times--) pixels.Add(value);
        }
        else
        {
            for (int left = header; left >= 0; left--) pixels.Add(bytes.Dequeue());
        }
    }
    return pixels;
}
