static List<int> Rooms(List<int> starts, List<int> lengths)
{
    var ends = new List<int>();
    return starts.Zip(lengths, (start, length) =>
    {
        int room = ends.FindIndex(end => end <= start);
        if (room < 0)
        {
            room = ends.Count;
            ends.Add(start);
        }
        else ends[room] = start + length;
        return room + 1;
    }).ToList();
}
