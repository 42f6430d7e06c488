function applyEdits(lines, edits) {
  const slots = [[], ...lines.map((line) => [line])];
  const added = slots.map(() => []);
  for (const edit of edits) {
    const number = Number(edit[0]);
    const text = edit.slice(2);
    if (number >= slots.length) continue;
    if (edit[1] === '+') added[number].push(text);
    else if (number > 0) slots[number] = edit[1] === '=' ? [text] : [];
  }
  return slots.flatMap((slot, i) => [...added[i], ...slot]);
}
