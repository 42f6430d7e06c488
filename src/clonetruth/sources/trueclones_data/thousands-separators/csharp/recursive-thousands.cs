public string Grouped(int number, string separator)
{
    // the negative numbers reach further than the positive ones
    string digits = Below(number > 0 ? -number : number, separator);
    return number < 0 ? "-" + digits : digits;
}

private string Below(int negative, string separator)
{
    int last = -(negative % 1000);
    if (negative > -1000)
        return last.ToString();
    return Below(negative / 1000, separator) + separator + last.ToString("000");
}
