// Replaces the innermost operation by its value until a number is left; ~ is the sign of a value.
static int Evaluate(string expression)
{
    string number = "~?[0-9]+";
    string[] rules =
    {
        $@"\(({number})\)",
        $@"({number})(\*)({number})",
        $@"(?<![*])({number})([-+])({number})(?![0-9*])",
    };
    string text = expression;
    while (!Regex.IsMatch(text, $"^{number}$"))
    {
        string rule = rules.First(r => Regex.IsMatch(text, r));
        text = new Regex(rule).Replace(text, Applied, 1);
    }
    return Read(text);
}

static string Applied(Match m)
{
    if (m.Groups.Count == 2 || m.Groups[2].Value == "")
        return m.Groups[1].Value;
    int left = Read(m.Groups[1].Value), right = Read(m.Groups[3].Value);
    int value = m.Groups[2].Value == "*" ? left * right : m.Groups[2].Value == "+" ? left + right : left - right;
    return value < 0 ? "~" + -value : value.ToString();
}

static int Read(string text)
{
    return int.Parse(text.Replace('~', '-'));
}
