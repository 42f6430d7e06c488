static string InWords(int number)
{
    return Say(number, true);
}

static string Say(int n, bool last)
{
    string[] small = { "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen" };
    if (n >= 100)
    {
        int unit = n >= 1000 ? 1000 : 100;
        string head = small[n / unit] + (unit == 1000 ? " thousand" : " hundred");
        return n % unit == 0 ? head + (last ? "th" : "") : head + " " + Say(n % unit, last);
    }
    if (n >= 20)
    {
        string ten = new[] { "twent", "thirt", "fourt", "fift", "sixt", "sevent", "eight", "ninet" }[n / 10 - 2];
        return n % 10 == 0 ? ten + "ieth" : ten + "y-" + Say(n % 10, last);
    }
    int irregular = Array.IndexOf(new[] { 1, 2, 3, 5, 8, 9, 12 }, n);
    if (irregular >= 0)
        return "first second third fifth eighth ninth twelfth".Split(' ')[irregular];
    return small[n] + "th";
}
