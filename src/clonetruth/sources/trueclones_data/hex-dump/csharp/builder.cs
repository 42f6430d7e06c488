public string[] HexLines(int[] bytes, int width)
{
    int count = (bytes.Length + width - 1) / width;
    var lines = new string[count];
    for (int row = 0; row < count; row++)
    {
        int first = row * width;
        int end = Math.Min(first + width, bytes.Length);
        var line = new StringBuilder();
        line.AppendFormat("{0:x4}:", first);
        for (int i = first; i < end; i++)
            line.Append(' ').Append(Convert.ToString(bytes[i], 16).PadLeft(2, '0'));
        line.Append("  ");
        for (int i = first; i < end; i++)
            line.Append(IsVisible(bytes[i]) ? (char)bytes[i] : '.');
        lines[row] = line.ToString();
    }
    return lines;
}

private static bool IsVisible(int b)
{
    return b >= ' ' && b <= '~';
}
