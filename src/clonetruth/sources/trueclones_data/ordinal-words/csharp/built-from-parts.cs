public string Spell(int number)
{
    var parts = new List<string>();
    AddUnit(parts, number / 1000, "thousand");
    AddUnit(parts, number / 100 % 10, "hundred");
    int rest = number % 100;
    if (rest == 0)
        return string.Join(" ", parts) + "th";
    parts.Add(Last(rest));
    return string.Join(" ", parts);
}

private static readonly string[] Ranks = { "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
    "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth" };

private static void AddUnit(List<string> parts, int digit, string unit)
{
    string[] counts = "no one two three four five six seven eight nine".Split(' ');
    if (digit == 0) return;
    parts.Add(counts[digit]);
    parts.Add(unit);
}

private static string Last(int rest)
{
    if (rest < 20) return Ranks[rest];
    string[] tens = { "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety" };
    string ten = tens[rest / 10 - 2];
    return rest % 10 > 0 ? ten + "-" + Ranks[rest % 10] : ten.TrimEnd('y') + "ieth";
}
