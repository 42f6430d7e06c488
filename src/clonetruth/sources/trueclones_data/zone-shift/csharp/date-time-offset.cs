static string There(string time, int fromOffset, int toOffset)
{
    var clock = time.Split(':').Select(int.Parse).ToArray();
    var here = new DateTimeOffset(2015, 6, 15, clock[0], clock[1], 0, TimeSpan.FromMinutes(fromOffset));
    var there = here.ToOffset(TimeSpan.FromMinutes(toOffset));
    int days = there.DayOfYear - here.DayOfYear;
    return there.ToString("HH':'mm") + (days == 0 ? "" : days.ToString(" +0; -0"));
}
