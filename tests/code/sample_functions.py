"""A function in each language with a site for every editing operator."""

from __future__ import annotations

SAMPLE_FUNCTIONS = {
    "java": """\
public List<String> select(List<String> lines, int limit) throws IOException {
    // keep what is long enough
    List<String> kept = new ArrayList<>();
    int dropped = 0;
    String mark = "#";

    this.limit = limit;
    passes = 0;
    for (String line : lines) {
        if (line.length() > limit * 2) {
            kept.add(line.trim());
        } else {
            dropped += 1;
        }
    }
    while (dropped > 10) {
        dropped = shrink(dropped, mark);
    }
    report(kept, dropped);
    return kept; // all of it
}""",
    "c": """\
static size_t select_lines(line_t *lines, int limit) {
    /* keep what is long enough */
    line_t *kept = allocate(limit);
    int dropped = 0;
    const char *mark = "#";

    state->limit = limit;
    passes = 0;
    for (int i = 0; i < limit; i++) {
        if (length(lines, i) > limit * 2) {
            append(kept, lines[i]);
        } else {
            dropped += 1;
        }
    }
    while (dropped > 10) {
        dropped = shrink(dropped, mark);
    }
    report(kept, dropped);
    return dropped; // the rest
}""",
    "csharp": """\
public List<Line> Select(List<Line> lines, int limit)
{
    // keep what is long enough
    List<Line> kept = new List<Line>();
    int dropped = 0;
    string mark = "#";

    this.limit = limit;
    passes = 0;
    foreach (Line line in lines)
    {
        if (line.Length > limit * 2)
        {
            kept.Add(line.Trim());
        }
        else
        {
            dropped += 1;
        }
    }
    while (dropped > 10)
    {
        dropped = Shrink(dropped, mark);
    }
    Report(kept, dropped);
    return kept; // all of it
}""",
    "python": '''\
def select(self, lines: Lines, limit: int) -> Lines:
    """Keep what is long enough."""
    # and count the rest
    kept = Lines()
    dropped = 0
    mark = "#"

    self.limit += limit
    passes[0] += 1
    for line in lines:
        if len(line) > limit * 2:
            kept.append(
                line.strip()
            )
        else:
            dropped += 1
    while dropped > 10:
        dropped = shrink(dropped, mark)
    report(kept, dropped)
    return kept  # all of it''',
    "javascript": """\
function select(lines, limit) {
  // keep what is long enough
  const kept = new Lines();
  let dropped = 0;
  const mark = '#';

  this.limit = limit;
  passes += 1;
  for (const line of lines) {
    if (line.length > limit * 2) {
      kept.push(line.trim());
    } else {
      dropped += 1;
    }
  }
  while (dropped > 10) {
    dropped = shrink(dropped, mark);
  }
  report(kept, dropped);
  return kept; // all of it
}""",
}
