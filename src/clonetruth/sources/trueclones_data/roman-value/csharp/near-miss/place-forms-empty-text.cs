static int Value(string text)
{
    string[] ones = { "", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX" };
    string[] tens = Array.ConvertAll(ones, one => Shift(one, "XLC"));
    string[] hundreds = Array.ConvertAll(ones, one => Shift(one, "CDM"));
    string[] thousands = { "", "M", "MM", "MMM" };
    int value = 0;
    foreach (string[] forms in new[] { thousands, hundreds, tens, ones })
    {
        // the longest form that the rest begins with
        int digit = 0;
        for (int d = 1; d < forms.Length; d++)
            if (text.StartsWith(forms[d], StringComparison.Ordinal) && forms[d].Length > forms[digit].Length) digit = d;
        value = value * 10 + digit;
        text = text.Substring(forms[digit].Length);
    }
    return text.Length == 0 ? value : -1;
}

static string Shift(string one, string letters)
{
    return one.Replace('X', letters[2]).Replace('V', letters[1]).Replace('I', letters[0]);
}
