static int Area(List<List<int>> rectangles)
{
    return Covered(rectangles.Select(r => new Box
    {
        Left = Math.Min(r[0], r[2]), Right = Math.Max(r[0], r[2]),
        Low = Math.Min(r[1], r[3]), High = Math.Max(r[1], r[3])
    }).ToList());
}

// What the first box covers, and what the others cover outside of it.
static int Covered(List<Box> boxes)
{
    if (boxes.Count == 0) return 0;
    Box first = boxes[0];
    var rest = boxes.Skip(1).ToList();
    var inside = rest.Select(first.Clip).Where(box => box.Size > 0).ToList();
    return first.Size + Covered(rest) - Covered(inside);
}

struct Box
{
    public int Left, Right, Low, High;

    public int Size { get { return (Right - Left) * (High - Low); } }

    public Box Clip(Box other)
    {
        return new Box
        {
            Left = Math.Max(Left, other.Left), Right = Math.Min(Right, other.Right),
            Low = Math.Max(Low, other.Low), High = Math.Min(High, other.High)
        };
    }
}
