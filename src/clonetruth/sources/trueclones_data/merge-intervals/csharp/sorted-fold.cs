static List<int[]> Joined(List<List<int>> ranges)
{
    return ranges.Select(r => new[] { r.Min(), r.Max() })
        .OrderBy(r => r[0])
        .Aggregate(new List<int[]>(), (merged, next) =>
        {
            var last = merged.LastOrDefault();
            if (last != null && next[0] <= last[1] + 1)
                last[1] = Math.Max(last[1], next[1]);
            else
                merged.Add(next);
            return merged;
        });
}
