static bool IsValid(string text)
{
    var account = text.Replace(" ", "");
    if (!Regex.IsMatch(account, @"^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,20}\z"))
        return false;
    var moved = account.Substring(4) + account.Substring(0, 4);
    var digits = string.Concat(moved.Select(c => char.IsDigit(c) ? c.ToString() : (c - 'A' + 10).ToString()));
    return BigInteger.Parse(digits) % 97 == 1;
}
