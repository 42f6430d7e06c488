public int Route(List<List<int>> roads, int start, int goal)
{
    var places = Enumerable.Range(0, 7).Select(_ => new Place()).ToList();
    foreach (var road in roads) places[road[0]].Roads.Add(Tuple.Create(places[road[1]], road[2]));
    places[start].Cost = 0;
    var open = new List<Place> { places[start] };
    while (open.Count > 0)
    {
        var place = open.OrderBy(p => p.Cost).First();
        open.Remove(place);
        foreach (var road in place.Roads)
        {
            int cost = place.Cost + road.Item2;
            if (road.Item1.Cost >= 0) continue;
            road.Item1.Cost = cost;
            open.Add(road.Item1);
        }
    }
    return places[goal].Cost;
}

class Place
{
    public int Cost = -1;
    public List<Tuple<Place, int>> Roads = new List<Tuple<Place, int>>();
}
