function compareLines(one, two) {
  // shortest[k]: the smallest index in two at which a common subsequence of k lines can end
  const shortest = [-1];
  for (const line of one) {
    for (let k = shortest.length - 1; k >= 0; k--) {
      const at = two.indexOf(line, shortest[k] + 1);
      if (at < 0) continue;
      if (shortest[k + 1] === undefined || at < shortest[k + 1]) shortest[k + 1] = at;
    }
  }
  const same = shortest.length - 1;
  return [same, one.length - same, two.length - same];
}
