static int Later(int today, int left)
{
    const string week = "WWWWW--";
    // seven days have five working days, wherever they begin
    int days = left / 5 * 7;
    left -= days / 7 * 5;
    for (; left > 0; days++)
    {
        if (week[(today + days + 1) % week.Length] == 'W')
            left--;
    }
    return days;
}
