public string[] Break(string text, int width)
{
    string flat = Regex.Replace(text.Trim(), " +", " ");
    if (flat == "") return new string[0];
    // up to the width, or one word that is longer, and then a space or the end
    string pattern = "(?:.{1," + width + "}|[^ ]+)(?: |$)";
    return Regex.Matches(flat, pattern).Cast<Match>().Select(line => line.Value.TrimEnd()).ToArray();
}
