static List<int> Rooms(List<int> starts, List<int> lengths)
{
    var ends = new List<int>();
    return starts.Zip(lengths, (start, length) =>
    {
        int room = ends.FindLastIndex(end => end <= start);
        if (room < 0)
        {
            room = ends.Count;
            ends.Add(0);
        }
        ends[room] = start + length;
        return room + 1;
    }).ToList();
}
