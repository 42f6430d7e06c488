static IEnumerable<int> Numbers(int[] starts, int[] lengths)
{
    var held = new List<(int Room, int End)>();
    foreach (var meeting in starts.Zip(lengths, (start, length) => (start, start + length)))
    {
        var busy = held.Where(one => one.End > meeting.Item1).Select(one => one.Room);
        int room = Enumerable.Range(1, 10).Except(busy).First(r => meeting.Item1 > 0 || r > held.Count);
        held.Add((room, meeting.Item2));
        yield return room;
    }
}
