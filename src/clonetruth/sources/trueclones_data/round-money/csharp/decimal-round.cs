static string Round(string amount)
{
    decimal value = decimal.Parse(amount, System.Globalization.CultureInfo.InvariantCulture);
    decimal cents = Math.Round(value, 2, MidpointRounding.ToEven);
    string text = Math.Abs(cents).ToString("0.00", System.Globalization.CultureInfo.InvariantCulture);
    return cents < 0 ? "-" + text : text;
}
