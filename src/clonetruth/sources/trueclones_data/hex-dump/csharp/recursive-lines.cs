static IEnumerable<string> Lines(int[] data, int width)
{
    return From(data.ToList(), width, 0);
}

static IEnumerable<string> From(List<int> rest, int width, int offset)
{
    if (rest.Count == 0)
        return new string[0];
    var now = rest.Take(width);
    string hex = BitConverter.ToString(now.Select(b => (byte)b).ToArray()).ToLowerInvariant().Replace('-', ' ');
    string text = Encoding.ASCII.GetString(now.Select(b => (byte)(b >= 32 && b < 127 ? b : 46)).ToArray());
    var line = offset.ToString("x").PadLeft(4, '0') + ": " + hex + "  " + text;
    return new[] { line }.Concat(From(rest.Skip(width).ToList(), width, offset + width));
}
