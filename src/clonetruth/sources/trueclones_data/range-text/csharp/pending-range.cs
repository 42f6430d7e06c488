public string Format(int[] pages)
{
    Array.Sort(pages);
    var text = new StringBuilder();
    int start = -5, previous = -5;
    foreach (int page in pages.Concat(new[] { 99 }))
    {
        if (page == previous) continue;
        if (page != previous + 1)
        {
            // the run before is complete
            if (start >= 0)
            {
                text.Append(',').Append(start);
                if (previous > start) text.Append(previous - start == 1 ? ',' : '-').Append(previous);
            }
            start = page;
        }
        previous = page;
    }
    return text.Length == 0 ? "" : text.ToString(1, text.Length - 1);
}
