static string Ordinal(int number)
{
    var words = Words(number).ToList();
    string last = words[words.Count - 1];
    words[words.Count - 1] = Regex.Replace(last, "(one|two|three|five|nine|twelve|y|[a-z])$", end =>
    {
        switch (end.Value)
        {
            case "one": return "first";
            case "two": return "second";
            case "three": return "third";
            case "five": return "fifth";
            case "nine": return "ninth";
            case "twelve": return "twelfth";
            case "y": return "ieth";
            default: return end.Value + "th";
        }
    });
    return string.Join(" ", words);
}

static IEnumerable<string> Words(int n)
{
    string[] small = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        + "sixteen seventeen eighteen nineteen").Split(' ');
    string[] tens = "twenty thirty forty fifty sixty seventy eighty ninety".Split(' ');
    if (n >= 1000)
    {
        yield return small[n / 1000];
        yield return "thousand";
    }
    if (n % 1000 >= 100)
    {
        yield return small[n % 1000 / 100];
        yield return "hundred";
    }
    n %= 100;
    if (n >= 20) yield return tens[n / 10 - 2] + (n % 10 == 0 ? "" : "-" + small[n % 10]);
    else if (n > 0) yield return small[n];
}
