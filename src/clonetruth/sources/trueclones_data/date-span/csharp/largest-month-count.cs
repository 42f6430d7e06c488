static List<int> Apart(int year1, int month1, int day1, int year2, int month2, int day2)
{
    var one = new DateTime(year1, month1, day1);
    var other = new DateTime(year2, month2, day2);
    var (from, to) = one < other ? (one, other) : (other, one);
    // as many months as there are first days of months in between, or one less
    int months = Enumerable.Range(0, 12 * 121).TakeWhile(m => FirstOf(from).AddMonths(m) <= FirstOf(to)).Last();
    if (to.Day < from.Day) months -= 1;
    TimeSpan rest = to - from.AddMonths(months);
    return new List<int> { months / 12, months % 12, rest.Days };
}

static DateTime FirstOf(DateTime date)
{
    return date.AddDays(1 - date.Day);
}
