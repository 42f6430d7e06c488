static int[] Numbers(int[] data)
{
    var numbers = new List<int>();
    int at = 0;
    while (at < data.Length)
    {
        int end = at;
        while (end < data.Length && (data[end] & 128) != 0) end++;
        if (end == data.Length || end - at > 3)
        {
            numbers.Add(-1);
            break;
        }
        int number = 0;
        for (int i = at; i <= end; i++) number = number * 128 + (data[i] & 127);
        numbers.Add(number);
        at = end + 1;
    }
    return numbers.ToArray();
}
