public int[][] Distribute(int[] numbers, int chunks)
{
    var lengths = new int[chunks];
    for (int i = 0; i < numbers.Length; i++)
        lengths[i % chunks]++;

    var rest = new Queue<int>(numbers);
    return lengths.Select(length => Take(rest, length)).ToArray();
}

private static int[] Take(Queue<int> queue, int count)
{
    var taken = new int[count];
    for (int i = 0; i < count; i++)
        taken[i] = queue.Dequeue();
    return taken;
}
