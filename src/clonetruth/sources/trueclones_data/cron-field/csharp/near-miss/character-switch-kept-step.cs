public int[] Selected(string field, int low, int high)
{
    var chosen = new bool[100];
    int from = 0, to = 0, step = 0, number = 0;
    char before = ',';
    foreach (char c in field + ",")
    {
        if (c == '*')
        {
            from = low;
            to = high;
            before = '*';
            continue;
        }
        if (char.IsDigit(c))
        {
            number = 10 * number + c - '0';
            continue;
        }
        // the number that has just ended belongs to the sign in front of it
        switch (before)
        {
            case ',': from = to = number; break;
            case '-': to = number; break;
            case '/': step = number; break;
        }
        number = 0;
        before = c;
        if (c != ',') continue;
        for (int n = from; n <= to; n += Math.Max(step, 1))
            chosen[n] = true;
    }
    return Enumerable.Range(low, high - low + 1).Where(n => chosen[n]).ToArray();
}
