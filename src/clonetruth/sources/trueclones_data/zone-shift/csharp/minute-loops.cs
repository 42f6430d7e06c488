public string Other(string time, int from, int to)
{
    int minute = int.Parse(time.Substring(0, 2)) * 60 + int.Parse(time.Substring(3, 2));
    int day = 0;
    // the minutes of the offsets, one by one
    int step = Math.Sign(to - from);
    for (int offset = from; offset != to; offset += step)
    {
        minute += step;
        if (minute == 1440)
        {
            minute = 0;
            day++;
        }
        if (minute == -1)
        {
            minute = 1439;
            day--;
        }
    }
    string text = string.Format("{0:00}:{1:00}", minute / 60, minute % 60);
    if (day == 0) return text;
    return text + (day < 0 ? " -" : " +") + Math.Abs(day);
}
