static string Clean(string program)
{
    var kept = new StringBuilder();
    string mode = "code";
    for (int i = 0; i < program.Length; i++)
    {
        string two = program.Substring(i, Math.Min(2, program.Length - i));
        switch (mode)
        {
            case "line":
                if (two[0] != '\n') continue;
                mode = "code";
                continue;
            case "block":
                if (two != "*/") continue;
                mode = "code";
                i++;
                continue;
            case "string":
                if (two[0] == '"') mode = "code";
                if (two[0] == '\\' && two.Length == 2)
                {
                    kept.Append('\\');
                    i++;
                }
                break;
            default:
                if (two == "//" || two == "/*")
                {
                    mode = two == "//" ? "line" : "block";
                    if (mode == "block") kept.Append(' ');
                    i++;
                    continue;
                }
                if (two[0] == '"') mode = "string";
                break;
        }
        kept.Append(program[i]);
    }
    return kept.ToString();
}
