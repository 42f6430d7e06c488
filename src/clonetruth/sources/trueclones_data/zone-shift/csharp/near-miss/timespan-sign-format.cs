static string Shift(string time, int fromOffset, int toOffset)
{
    TimeSpan there = TimeSpan.Parse(time) + TimeSpan.FromMinutes(toOffset - fromOffset);
    int days = (int)Math.Floor(there.TotalDays);
    TimeSpan clock = there - TimeSpan.FromDays(days);
    string text = clock.ToString(@"hh\:mm");
    return days == 0 ? text : text + days.ToString(" +0; +0");
}
