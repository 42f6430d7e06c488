public int Read(string numeral)
{
    const string letters = "IVXLCDM";
    int[] worth = { 1, 5, 10, 50, 100, 500, 1000 };
    int sum = 0, before = 0;
    foreach (char c in numeral)
    {
        int value = worth[letters.IndexOf(c)];
        // what was added before is taken off twice if a larger letter follows
        sum += value > before ? value - 2 * before : value;
        before = value;
    }
    return sum > 0 && sum < 4000 && Written(sum) == numeral ? sum : -1;
}

private static string Written(int number)
{
    string text = "";
    for (int place = 0; number > 0; place += 2, number /= 10)
    {
        string one = "IXCM"[place / 2].ToString();
        string five = place < 6 ? "VLD"[place / 2].ToString() : "", ten = place < 6 ? "XCM"[place / 2].ToString() : "";
        int digit = number % 10;
        string form = digit == 9 ? one + ten : digit == 4 ? one + five : (digit > 4 ? five : "") + string.Concat(Enumerable.Repeat(one, digit % 5));
        text = form + text;
    }
    return text;
}
