public List<int> Between(int y1, int m1, int d1, int y2, int m2, int d2)
{
    if (string.CompareOrdinal($"{y1}{m1:D2}{d1:D2}", $"{y2}{m2:D2}{d2:D2}") > 0) return Between(y2, m2, d2, y1, m1, d1);
    int years = y2 - y1, months = m2 - m1, days = d2 - d1;
    if (days < 0)
    {
        months -= 1;
        int py = m2 > 1 ? y2 : y2 - 1, pm = m2 > 1 ? m2 - 1 : 12;
        int size = DateTime.DaysInMonth(py, pm);
        days = d2 + size - Math.Min(d1, size);
    }
    if (months < 0)
    {
        months += 12;
    }
    return new List<int> { years, months, days };
}
