function normalise(lines) {
  const { kept, margin } = lines.reduce(
    (state, line) => {
      const text = line.trimStart();
      if (text === '') return { ...state, gap: state.gap + 1 };
      const gap = new Array(state.gap).fill('');
      return {
        kept: state.kept.concat(gap, line),
        margin: Math.min(state.margin, line.length - text.length),
        gap: 0,
      };
    },
    { kept: [], margin: Infinity, gap: 0 },
  );
  return kept.map((line) => line.substring(margin));
}
