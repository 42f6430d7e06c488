public List<int> Values(List<int> data)
{
    var left = new Queue<int>(data);
    var values = new List<int>();
    while (left.Count > 0)
    {
        int? value = Next(left);
        values.Add(value ?? -1);
        if (value == null) break;
    }
    return values;
}

// null if there is no complete number
private int? Next(Queue<int> left)
{
    int value = 0;
    for (int shift = 0; shift <= 21 && left.Count > 0; shift += 7)
    {
        int b = left.Dequeue();
        value += (b % 128) << shift;
        if (b < 128) return value;
    }
    return null;
}
