static int RomanValue(string numeral)
{
    var match = Regex.Match(numeral, "^(M{0,3})(?:(CM)|(CD)|(D?)(C{0,3}))(?:(XC)|(XL)|(L?)(X{0,3}))(?:(IX)|(IV)|(V?)(I{0,3}))$");
    if (!match.Success || numeral.Length == 0) return -1;
    int[] worth = { 0, 1000, 900, 400, 500, 100, 90, 40, 50, 10, 9, 4, 5, 1 };
    int total = 0;
    for (int g = 1; g < worth.Length; g++)
    {
        int letters = match.Groups[g].Length;
        bool pair = g == 2 || g == 3 || g == 6 || g == 7 || g == 10 || g == 11;
        total += worth[g] * (pair ? letters / 2 : letters);
    }
    return total;
}
