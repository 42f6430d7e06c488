public string Bankers(string amount)
{
    bool minus = amount[0] == '-';
    var parts = (minus ? amount.Substring(1) : amount).Split('.');
    string tail = parts.Length > 1 ? parts[1] : "";
    tail += "00000".Substring(tail.Length);
    var digits = (parts[0] + tail.Substring(0, 2)).Select(c => c - '0').ToList();
    string cut = tail.Substring(2);
    int comparison = string.CompareOrdinal(cut, "500");
    int carry = comparison > 0 || comparison == 0 && digits[digits.Count - 1] % 2 == 1 ? 1 : 0;
    for (int i = digits.Count - 1; i >= 0; i--)
    {
        carry += digits[i];
        digits[i] = carry % 10;
        carry /= 10;
    }
    digits.Insert(0, carry);
    // no zeros in front of the digit before the point
    while (digits.Count > 3 && digits[0] == 0) digits.RemoveAt(0);
    string text = string.Concat(digits).Insert(digits.Count - 2, ".");
    return minus && digits.Any(d => d > 0) ? "-" + text : text;
}
