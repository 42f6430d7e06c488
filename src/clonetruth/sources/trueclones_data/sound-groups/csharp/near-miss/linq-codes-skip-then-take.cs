static List<int> SoundGroups(List<string> names)
{
    var codes = names.Select(Code).ToList();
    return codes.Select(code => codes.IndexOf(code)).ToList();
}

static string Code(string name)
{
    const string table = "01230120022455012623010202";
    var upper = name.ToUpperInvariant();
    var digits = upper.Where((c, i) => i == 0 || c != 'H' && c != 'W').Select(c => table[c - 'A']).Take(4).ToList();
    var kept = digits.Where((d, i) => i > 0 && d != '0' && d != digits[i - 1]);
    return upper[0] + string.Concat(kept.Take(3)).PadRight(3, '0');
}
