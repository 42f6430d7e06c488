public int Search(int year, int month, int weekday, int n)
{
    int[] lengths = { 31, IsLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int before = (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    for (int m = 0; m < month - 1; m++) before += lengths[m];
    var found = new List<int>();
    for (int day = 1; day <= lengths[month - 1]; day++)
    {
        // 1 January of year 1 was a Monday
        if ((before + day - 1) % 7 == weekday) found.Add(day);
    }
    if (n < 0) found.Reverse();
    n = Math.Abs(n);
    return n == 0 || n > found.Count ? 0 : found[n - 1];
}

private static bool IsLeap(int year)
{
    return year % 400 == 0 || year % 4 == 0 && year % 100 != 0;
}
