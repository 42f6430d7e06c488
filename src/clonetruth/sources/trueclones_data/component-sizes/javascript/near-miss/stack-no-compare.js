function componentSizes(links) {
  const neighbours = links.map((list) => [...list]);
  links.forEach((list, i) => list.forEach((j) => neighbours[j].push(i)));
  const seen = new Set();
  const sizes = [];
  for (let i = 0; i < links.length; i++) {
    if (seen.has(i)) continue;
    let size = 0;
    const stack = [i];
    while (stack.length > 0) {
      const node = stack.pop();
      if (seen.has(node)) continue;
      seen.add(node);
      size++;
      stack.push(...neighbours[node]);
    }
    sizes.push(size);
  }
  return sizes.sort().reverse();
}
