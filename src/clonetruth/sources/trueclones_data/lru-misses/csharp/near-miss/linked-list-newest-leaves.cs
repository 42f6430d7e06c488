static int Misses(int capacity, IEnumerable<int> requests)
{
    var recent = new LinkedList<int>();
    int misses = 0;
    foreach (int key in requests)
    {
        if (!recent.Remove(key)) misses++;
        recent.AddFirst(key);
        if (recent.Count > capacity) recent.RemoveFirst();
    }
    return misses;
}
