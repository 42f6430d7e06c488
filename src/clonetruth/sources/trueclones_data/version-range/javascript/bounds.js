const inRange = (version, range) => {
  const code = (text) => text.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);
  const value = code(version);
  const limits = (condition) => {
    const at = code(condition.replace(/^\D+/, ''));
    switch (condition[0]) {
      case '<': return [-Infinity, at];
      case '>': return [at, Infinity];
      case '~': return [at, at - (at % 100) + 100];
      case '^':
        if (at >= 10000) return [at, at - (at % 10000) + 10000];
        return [at, at >= 100 ? at - (at % 100) + 100 : at + 1];
      default: return [at, at + 1];
    }
  };
  const inside = (condition) => {
    const [low, high] = limits(condition);
    return low <= value && value < high;
  };
  const alternatives = range.split('||');
  return alternatives.some((all) => all.split(' ').every(inside));
};
