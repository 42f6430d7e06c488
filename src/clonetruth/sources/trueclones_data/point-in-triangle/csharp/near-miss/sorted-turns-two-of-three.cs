static int Place(List<List<int>> corners, int x, int y)
{
    var turns = new List<int>();
    for (int i = 0; i < 3; i++)
    {
        int ax = corners[i][0] - x, ay = corners[i][1] - y;
        int bx = corners[(i + 1) % 3][0] - x, by = corners[(i + 1) % 3][1] - y;
        int turn = ax * by - ay * bx;
        // seen from the point, the ends of a side that it lies on are opposite
        if (turn == 0 && ax * bx <= 0 && ay * by <= 0)
            return 0;
        turns.Add(Math.Sign(turn));
    }
    return Math.Abs(turns.Sum()) >= 2 || turns[0] == turns[1] ? 1 : -1;
}
