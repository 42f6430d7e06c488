// Nothing but a slash stands for a slash, so the parts between slashes are compared one by one.
public bool Match(string pattern, string path)
{
    string[] wanted = pattern.Split('/'), given = path.Split('/');
    if (wanted.Length != given.Length) return false;
    return wanted.Zip(given, (w, g) => Part(w, g)).All(same => same);
}

private bool Part(string wanted, string given)
{
    if (wanted == "") return given == "";
    if (wanted[0] == '*')
        return Enumerable.Range(0, given.Length + 1).Any(taken => Part(wanted.Substring(1), given.Substring(taken)));
    if (given == "" || wanted[0] != '?' && wanted[0] != given[0]) return false;
    return Part(wanted.Substring(1), given.Substring(1));
}
