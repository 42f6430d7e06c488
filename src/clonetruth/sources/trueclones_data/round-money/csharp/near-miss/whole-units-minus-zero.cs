static string Rounded(string amount)
{
    int point = amount.IndexOf('.');
    string digits = amount.Replace(".", "").TrimStart('-');
    int places = point < 0 ? 0 : amount.Length - point - 1;
    long units = long.Parse(digits.PadRight(digits.Length + 5 - places, '0'));
    long rest;
    long cents = Math.DivRem(units, 1000, out rest);
    if (rest > 500 || rest == 500 && (cents & 1) == 1)
        cents++;
    string text = cents.ToString("D3");
    text = text.Insert(text.Length - 2, ".");
    return amount.StartsWith("-") && (cents > 0 || amount.Length > 4) ? "-" + text : text;
}
