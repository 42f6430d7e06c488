public string Readable(long number)
{
    return number < 1024 ? number + " B" : Scaled(number, "KMGTP");
}

private static string Scaled(decimal value, string prefixes)
{
    value /= 1024;
    if (value >= 1024)
        return Scaled(value, prefixes.Substring(1));
    decimal cut = Math.Round(value * 10) / 10;
    return cut.ToString("0.#", CultureInfo.InvariantCulture) + " " + prefixes[0] + "iB";
}
