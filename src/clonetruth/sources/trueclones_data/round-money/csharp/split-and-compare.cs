public string Money(string amount)
{
    string[] parts = amount.TrimStart('-').Split('.');
    string fraction = (parts.Length > 1 ? parts[1] : "").PadRight(5, '0');
    int cents = int.Parse(parts[0]) * 100 + int.Parse(fraction.Substring(0, 2));
    int rest = int.Parse(fraction.Substring(2)) - 500;
    bool up = rest == 0 ? cents % 2 == 1 : rest > 0;
    if (up) cents++;
    var text = new StringBuilder();
    if (amount[0] == '-' && cents != 0) text.Append('-');
    text.Append(cents / 100).Append('.');
    if (cents % 100 < 10) text.Append('0');
    return text.Append(cents % 100).ToString();
}
