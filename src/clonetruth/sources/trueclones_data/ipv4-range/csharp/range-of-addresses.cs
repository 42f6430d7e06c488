public bool Matches(string address, string network)
{
    var halves = network.Split('/');
    if (halves.Length != 2) return false;
    long host = Parse(address), first = Parse(halves[0]), length = Decimal(halves[1], 32);
    if (host < 0 || first < 0 || length < 0) return false;
    long size = 1L << (int)(32 - length);
    // the network begins where its size divides the address
    first -= first % size;
    return first <= host && host < first + size;
}

private static long Parse(string text)
{
    long value = 0;
    int count = 0;
    foreach (string part in text.Split('.'))
    {
        int octet = Decimal(part, 255);
        if (octet < 0 || ++count > 4) return -1;
        value = (value << 8) + octet;
    }
    return count == 4 ? value : -1;
}

private static int Decimal(string digits, int most)
{
    if (digits.Length == 0 || digits.Length > 3 || !digits.All(c => c >= '0' && c <= '9')) return -1;
    if (digits.Length > 1 && digits[0] == '0') return -1;
    int number = digits.Aggregate(0, (n, c) => 10 * n + c - '0');
    return number <= most ? number : -1;
}
