static bool Belongs(string address, string network)
{
    int slash = network.IndexOf('/');
    if (slash < 0) return false;
    string host = Bits(address), net = Bits(network.Substring(0, slash));
    string prefix = network.Substring(slash + 1);
    if (host == null || net == null || !Regex.IsMatch(prefix, @"^(0|[1-9][0-9]?)\z")) return false;
    int length = int.Parse(prefix);
    return length <= 32 && host.Substring(0, length) == net.Substring(0, length);
}

// 32 characters, 0 or 1; null if the text is no address.
static string Bits(string address)
{
    string bits = "";
    string[] parts = address.Split('.');
    if (parts.Length != 4) return null;
    foreach (string part in parts)
    {
        byte octet;
        if (!byte.TryParse(part, NumberStyles.None, null, out octet) || octet.ToString() != part) return null;
        bits += Convert.ToString(octet, 2).PadLeft(8, '0');
    }
    return bits;
}
