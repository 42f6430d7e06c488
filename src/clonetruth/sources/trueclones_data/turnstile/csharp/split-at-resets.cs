public int People(string events)
{
    return events.Split('r').Sum(Part);
}

private static int Part(string events)
{
    int passed = 0, credit = 0;
    string alarms = "";
    for (int i = 0; i < events.Length && alarms.Length < 3; i++)
    {
        if (events[i] == 'c')
        {
            credit = new[] { 1, 2, 3, 3 }[credit];
            continue;
        }
        if (credit > 0)
        {
            passed++;
            alarms = "";
            credit--;
        }
        else alarms += "!";
    }
    return passed;
}
