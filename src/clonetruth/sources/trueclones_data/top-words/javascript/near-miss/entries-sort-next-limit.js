function topWords(words, k) {
  const counts = {};
  for (const word of words) counts[word] = (counts[word] || 0) + 1;
  const entries = Object.entries(counts);
  entries.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  if (k === 0) return [];
  const limit = entries.length > k ? entries[k][1] : 0;
  return entries.filter(([, n]) => n >= limit).map(([word]) => word);
}
