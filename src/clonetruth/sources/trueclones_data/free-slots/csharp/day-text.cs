// The day as a text with one character for each hour.
public List<List<int>> Free(int[][] busy, int length)
{
    char[] day = new string('.', 24).ToCharArray();
    foreach (var time in busy)
    {
        for (int hour = time[0]; hour < time[1]; hour++)
            day[hour] = '#';
    }
    var pattern = new Regex(@"\.{" + length + ",}");
    var slots = new List<List<int>>();
    for (var slot = pattern.Match(new string(day)); slot.Success; slot = slot.NextMatch())
        slots.Add(new List<int> { slot.Index, slot.Index + slot.Length });
    return slots;
}
