static int[] Groups(string[] names)
{
    var codes = names.Select(Soundex).ToArray();
    return Array.ConvertAll(codes, code => Array.IndexOf(codes, code));
}

static string Soundex(string name)
{
    string upper = name.ToUpper();
    string digits = upper[0] + Regex.Replace(upper.Substring(1), "[HW]", "");
    digits = Regex.Replace(digits, "[BFPV]", "1");
    digits = Regex.Replace(digits, "[CGJKQSXZ]", "2");
    digits = Regex.Replace(digits, "[DT]", "3").Replace('L', '4');
    digits = Regex.Replace(digits, "[MN]", "5").Replace('R', '6');
    digits = Regex.Replace(digits, "([1-6])\\1", "$1");
    string tail = Regex.Replace(digits.Substring(1), "[A-Z]", "");
    return (upper[0] + tail + "000").Substring(0, 4);
}
