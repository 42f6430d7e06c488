static string ColumnName(int number)
{
    IEnumerable<string> letters = Enumerable.Range('A', 26).Select(code => ((char)code).ToString()).ToList();
    string tail = "";
    // the letter of the last place tells which block of 26 names is meant
    while (number >= 26)
    {
        int block = (number - 1) / 26;
        tail = letters.ElementAt(number - 26 * block - 1) + tail;
        number = block;
    }
    return letters.ElementAt(number - 1) + tail;
}
