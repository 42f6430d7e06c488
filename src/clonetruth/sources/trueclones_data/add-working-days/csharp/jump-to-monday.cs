public int DaysAhead(int weekday, int workingDays)
{
    int passed = 0;
    int day = weekday;
    while (workingDays > 0)
    {
        if (day >= 4)
        {
            // over the weekend to Monday, which is a working day
            passed += 7 - day;
            day = 0;
            workingDays--;
            continue;
        }
        int step = Math.Min(workingDays, 4 - day);
        passed += step;
        day += step;
        workingDays -= step;
    }
    return passed;
}
