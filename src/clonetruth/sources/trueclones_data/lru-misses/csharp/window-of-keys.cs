// The keys in the cache are the last different ones that were asked for.
public int Count(int capacity, List<int> requests)
{
    return Enumerable.Range(0, requests.Count).Count(at =>
    {
        var earlier = requests.Take(at).Reverse().Distinct().Take(capacity);
        return !earlier.Contains(requests[at]);
    });
}
