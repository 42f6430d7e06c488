static List<int> Divide(int amount, int people)
{
    var parts = new List<int>();
    for (int i = 0; i < people; i++)
        parts.Add((i + 1) * amount / people - i * amount / people);
    parts.Sort((a, b) => b - a);
    return parts;
}
