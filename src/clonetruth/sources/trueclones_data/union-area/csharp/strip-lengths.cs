public int UnionArea(int[][] rectangles) {
    int[] cuts = rectangles.SelectMany(r => new[] { r[0], r[2] }).Distinct().OrderBy(x => x).ToArray();
    int area = 0;
    for (int i = 0; i + 1 < cuts.Length; i++) {
        int left = cuts[i], right = cuts[i + 1];
        var spans = rectangles
            .Where(r => Math.Min(r[0], r[2]) <= left && right <= Math.Max(r[0], r[2]))
            .Select(r => new { Low = Math.Min(r[1], r[3]), High = Math.Max(r[1], r[3]) })
            .OrderBy(span => span.Low);
        int length = 0, top = int.MinValue;
        foreach (var span in spans) {
            int from = Math.Max(span.Low, top);
            if (span.High > from) {
                length += span.High - from;
                top = span.High;
            }
        }
        area += length * (right - left);
    }
    return area;
}
