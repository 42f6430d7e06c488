static string Group(int number, string separator)
{
    var format = (NumberFormatInfo)CultureInfo.InvariantCulture.NumberFormat.Clone();
    format.NumberGroupSeparator = separator;
    format.NumberGroupSizes = new[] { 3, 3, 0 };
    format.NumberDecimalDigits = 0;
    return number.ToString("N", format);
}
