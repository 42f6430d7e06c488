public string Underscore(string name)
{
    var result = new StringBuilder();
    for (int i = 0; i < name.Length; i++)
    {
        char c = name[i];
        if (!char.IsLetterOrDigit(c)) continue;
        if (result.Length > 0 && Begins(name, i)) result.Append('_');
        result.Append(char.ToLower(c));
    }
    return result.ToString();
}

private static bool Begins(string name, int i)
{
    char before = name[i - 1];
    if (!char.IsLetterOrDigit(before)) return true;
    if (!char.IsUpper(name[i])) return false;
    if (char.IsLower(before)) return true;
    return i < name.Length - 1 && char.IsLower(name[i + 1]);
}
