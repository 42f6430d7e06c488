static int People(string events)
{
    var end = events.Aggregate((credit: 0, alarms: 0, passed: 0), (s, e) =>
        e == 'r' ? (0, 0, s.passed)
        : s.alarms > 2 ? s
        : e == 'c' ? (Math.Min(s.credit + 1, 3), s.alarms, s.passed)
        : s.credit > 0 ? (s.credit - 1, s.alarms, s.passed + 1)
        : (0, s.alarms + 1, s.passed));
    return end.passed;
}
