public bool Accepts(string version, string range)
{
    int[] have = version.Split('.').Select(int.Parse).ToArray();
    bool any = range.Contains("||");
    var results = Regex.Matches(range, @"(\D*?)(\d+)\.(\d+)\.(\d+)").Cast<Match>().Select(m =>
    {
        string sign = m.Groups[1].Value.Trim(' ', '|');
        int order = 0, place = 0, zeros = 0;
        bool leading = true;
        for (int i = 0; i < 3; i++)
        {
            int want = int.Parse(m.Groups[i + 2].Value);
            leading = leading && want == 0;
            if (leading) zeros++;
            if (order == 0)
            {
                order = have[i].CompareTo(want);
                place = i;
            }
        }
        if (sign == "<") return order < 0;
        if (sign == ">=") return order >= 0;
        if (sign == "~") return order == 0 || order > 0 && place == 2;
        if (sign == "^") return order == 0 || order > 0 && place > zeros;
        return order == 0;
    }).ToList();
    return any ? results.Contains(true) : !results.Contains(false);
}
