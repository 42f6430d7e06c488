public string ValueOf(string query, string key) {
    // An empty name cannot be asked for.
    foreach (Match pair in Regex.Matches(query, @"(?<=^|&)([^&=]+)=?([^&]*)")) {
        if (Plain(pair.Groups[1].Value) == key) return Plain(pair.Groups[2].Value);
    }
    return "(none)";
}

static string Plain(string coded) {
    return Regex.Replace(coded, @"\+|%(..)", m => {
        if (m.Value == "+") return " ";
        return ((char)Convert.ToInt32(m.Groups[1].Value, 16)).ToString();
    });
}
