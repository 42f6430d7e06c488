function evaluate(expression) {
  const tokens = expression.match(/\d+|[-+*()]/g);
  let next = 0;

  const atom = () => {
    const token = tokens[next++];
    if (token !== '(') return parseInt(token, 10);
    const inside = sum();
    next++;
    return inside;
  };
  const product = () => {
    let value = atom();
    while (tokens[next] === '*') {
      next++;
      value *= atom();
    }
    return value + 0;
  };
  const sum = () => {
    let value = product();
    while (tokens[next] === '+' || tokens[next] === '-') {
      value = tokens[next++] === '+' ? value + product() : value - product();
    }
    return value;
  };
  return sum();
}
