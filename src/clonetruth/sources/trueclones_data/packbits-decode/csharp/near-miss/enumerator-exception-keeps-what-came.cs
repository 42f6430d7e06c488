int[] Unpack(IEnumerable<int> data)
{
    var output = new List<int>();
    using (var bytes = data.GetEnumerator())
    {
        while (bytes.MoveNext())
        {
            int header = bytes.Current;
            int copies = header <= 127 ? header + 1 : 0;
            for (; copies > 0; copies--)
            {
                if (!bytes.MoveNext()) return new[] { -1 };
                output.Add(bytes.Current);
            }
            if (header < 129) continue;
            if (!bytes.MoveNext()) break;
            for (int i = header; i <= 256; i++) output.Add(bytes.Current);
        }
    }
    return output.ToArray();
}
