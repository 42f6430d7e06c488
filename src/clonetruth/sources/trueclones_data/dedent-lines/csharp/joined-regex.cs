// Works on one text, with a pattern for the lines that begin with the margin.
public List<string> Dedent(string[] lines)
{
    string text = Regex.Replace(string.Join("\n", lines), "(?m)^ +$", "").Trim('\n');
    if (text == "") return new List<string>();
    int margin = 0;
    while (!Regex.IsMatch(text, "(?m)^ {0," + margin + "}[^ \n]"))
        margin++;
    return Regex.Replace(text, "(?m)^ {" + margin + "}", "").Split('\n').ToList();
}
