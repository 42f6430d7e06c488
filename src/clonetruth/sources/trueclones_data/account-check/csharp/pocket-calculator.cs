public bool Valid(string text)
{
    var match = new Regex("^ *([A-Z]) *([A-Z]) *([0-9]) *([0-9])((?: *[A-Z0-9]){1,20}) *\\z").Match(text);
    if (!match.Success)
        return false;
    string moved = match.Groups[5].Value;
    for (int g = 1; g <= 4; g++) moved += match.Groups[g].Value;
    string digits = "";
    foreach (char c in moved.Replace(" ", ""))
        digits += c > '9' ? (c - 55).ToString() : c.ToString();
    // as many digits as fit, then the remainder stands in front of the next ones
    string part = "";
    foreach (char digit in digits)
    {
        part += digit;
        if (part.Length == 9) part = (int.Parse(part) % 97).ToString();
    }
    return int.Parse(part) % 97 == 1;
}
