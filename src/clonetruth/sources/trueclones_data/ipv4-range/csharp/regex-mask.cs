static bool Contains(string address, string network)
{
    const string octet = "(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    string four = string.Join(@"\.", Enumerable.Repeat(octet, 4));
    var a = Regex.Match(address, $@"^{four}\z");
    var n = Regex.Match(network, $@"^{four}/(0|[1-9]|[12][0-9]|3[0-2])\z");
    if (!a.Success || !n.Success)
        return false;
    int length = int.Parse(n.Groups[5].Value);
    long mask = 0xFFFFFFFFL << (32 - length);
    return ((Value(a) ^ Value(n)) & mask & 0xFFFFFFFFL) == 0;
}

static long Value(Match m)
{
    long value = 0;
    for (int i = 1; i <= 4; i++)
        value = value * 256 + long.Parse(m.Groups[i].Value);
    return value;
}
