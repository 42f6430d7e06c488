static List<string> Dump(IEnumerable<int> data, int width)
{
    return data
        .Select((value, index) => new { value, line = index / width })
        .GroupBy(entry => entry.line, entry => entry.value)
        .Select(line => string.Format("{0:x4}:{1}  {2}",
            line.Key * width,
            string.Concat(line.Select(b => " " + b.ToString("x2"))),
            string.Concat(line.Select(b => b < 32 || b > 126 ? '.' : (char)b))))
        .ToList();
}
