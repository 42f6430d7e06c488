static List<int[]> Served(string ranges, int size)
{
    var result = new List<int[]>();
    foreach (string part in ranges.Split(','))
    {
        string[] ends = part.Split('-');
        int last = size - 1, first;
        if (ends[0] == "") first = Math.Max(0, size - int.Parse(ends[1]));
        else
        {
            first = int.Parse(ends[0]);
            if (ends[1] != "") last = Math.Min(last, int.Parse(ends[1]));
        }
        if (first <= last) result.Add(new[] { first, last });
    }
    return result;
}
