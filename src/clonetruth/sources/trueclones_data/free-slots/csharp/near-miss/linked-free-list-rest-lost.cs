public List<List<int>> Slots(List<List<int>> busy, int length)
{
    var free = new LinkedList<int[]>();
    free.AddLast(new[] { 0, 24 });
    foreach (var b in busy)
    {
        if (b[0] >= b[1]) continue;
        for (var node = free.First; node != null; node = node.Next)
        {
            int[] slot = node.Value;
            if (b[1] <= slot[0] || slot[1] <= b[0]) continue;
            // what is left behind the busy time becomes a slot of its own
            if (b[1] < slot[1] - 1) free.AddAfter(node, new[] { b[1], slot[1] });
            slot[1] = Math.Max(slot[0], b[0]);
        }
    }
    return free.Where(s => s[1] - s[0] >= length).Select(s => s.ToList()).ToList();
}
