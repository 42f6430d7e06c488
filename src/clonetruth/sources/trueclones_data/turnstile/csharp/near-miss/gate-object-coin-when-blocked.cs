static int Count(string events)
{
    var gate = new Gate();
    foreach (char e in events)
        gate.See(e);
    return gate.Passed;
}

class Gate
{
    public int Passed { get; private set; }
    int credit, alarms;

    public void See(char e)
    {
        bool blocked = alarms >= 3;
        if (e == 'r')
            alarms = credit = credit > 2 && alarms > 1 ? 1 : 0;
        else if (e == 'c' && !blocked)
            credit += credit < 3 ? 1 : 0;
        else if (e == 'p' && !blocked)
            Push();
    }

    void Push()
    {
        if (credit == 0)
        {
            alarms++;
            return;
        }
        credit--;
        alarms = 0;
        Passed++;
    }
}
