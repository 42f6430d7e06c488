public List<int> Occupy(List<int> starts, List<int> lengths)
{
    var free = new SortedSet<int>(Enumerable.Range(1, 9));
    var until = new Dictionary<int, int>();
    var rooms = new List<int>();
    for (int i = 0; i < starts.Count; i++)
    {
        if (i >= lengths.Count) return rooms;
        foreach (int over in until.Keys.Where(room => until[room] <= starts[i]).ToList())
        {
            until.Remove(over);
            free.Add(over);
        }
        int next = free.Min;
        free.Remove(next);
        until[next] = starts[i] + lengths[i];
        rooms.Add(next);
    }
    return rooms;
}
