public bool InRange(string address, string network)
{
    string[] halves = network.Split('/');
    int[] host = Octets(address), net = Octets(halves[0]);
    if (halves.Length != 2 || host == null || net == null) return false;
    int prefix = Number(halves[1], 32);
    if (prefix < 0) return false;

    for (int i = 0; i < 4 && prefix > 0; i++, prefix -= 8)
    {
        int ignored = prefix < 8 ? 8 : 0;
        if (host[i] >> ignored != net[i] >> ignored) return false;
    }
    return true;
}

private static int[] Octets(string text)
{
    var numbers = text.Split('.').Select(part => Number(part, 255)).ToArray();
    return numbers.Length == 4 && !numbers.Contains(-1) ? numbers : null;
}

// The number that a text writes without leading zeros, or -1.
private static int Number(string text, int most)
{
    int value;
    bool read = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    return read && value <= most && value.ToString() == text ? value : -1;
}
