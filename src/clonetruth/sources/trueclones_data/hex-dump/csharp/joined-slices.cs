static List<string> HexDump(int[] data, int width)
{
    string[] hex = Array.ConvertAll(data, b => b.ToString("x2"));
    string shown = new string(Array.ConvertAll(data, b => b < ' ' || b >= 127 ? '.' : Convert.ToChar(b)));
    var lines = new List<string>();
    int offset = 0;
    while (offset < data.Length)
    {
        int count = Math.Min(width, data.Length - offset);
        lines.Add($"{offset:x4}: {string.Join(" ", hex, offset, count)}  {shown.Substring(offset, count)}");
        offset += count;
    }
    return lines;
}
