static bool InRange(string version, string range)
{
    int own = Packed(version);
    Func<string, bool> holds = condition =>
    {
        int want = Packed(condition.TrimStart("<>=~^".ToCharArray()));
        int unit = condition[0] == '~' ? 100 : 1;
        if (condition[0] == '^')
            unit = want >= 10000 ? 10000 : want >= 100 ? 100 : 1;
        if (condition[0] == '<') return own < want;
        if (condition[0] == '>') return own >= want;
        // the same up to the unit, and not before
        return own / unit == want / unit;
    };
    string[] either = Regex.Split(range, @"\|\|");
    string[] both = range.Split(' ');
    return either.Length > 1 ? either.Any(holds) : both.All(holds);
}

static int Packed(string version)
{
    return version.Split('.').Aggregate(0, (sum, part) => sum * 100 + int.Parse(part));
}
