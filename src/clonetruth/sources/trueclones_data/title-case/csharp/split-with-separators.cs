public string Capitalise(string text) {
    // Words are at even places, separators at odd ones.
    string[] parts = Regex.Split(text, "([ -])");
    int first = Array.FindIndex(parts, IsWord), last = Array.FindLastIndex(parts, IsWord);
    return string.Concat(parts.Select((part, i) => {
        if (!IsWord(part)) return part;
        string lower = part.ToLowerInvariant();
        if (i != first && i != last && " a an and of or the to ".Contains(" " + lower + " ")) return lower;
        return char.ToUpperInvariant(lower[0]) + lower.Substring(1);
    }));
}

static bool IsWord(string part) {
    return part != "" && part != " " && part != "-";
}
