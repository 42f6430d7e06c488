function faults(frames, pages) {
  return pages.filter((page, i) => {
    const before = pages.slice(0, i);
    const last = before.lastIndexOf(page);
    if (last < 0) return true;
    return new Set(before.slice(last + 1)).size >= frames;
  }).length;
}
