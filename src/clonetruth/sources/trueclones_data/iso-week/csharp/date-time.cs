static int Week(int year, int month, int day)
{
    var date = new DateTime(year, month, day);
    int fromMonday = ((int)date.DayOfWeek + 6) % 7;
    var thursday = date.AddDays(3 - fromMonday);
    return (thursday.DayOfYear + 6) / 7;
}
