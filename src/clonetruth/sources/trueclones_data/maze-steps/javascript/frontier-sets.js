const fewest = (rows) => {
  const width = rows[0].length;
  const maze = rows.map((row) => row.padEnd(width, '#').slice(0, width)).join('');
  const goal = maze.length - 1;
  const visited = new Set();
  let frontier = [0];
  let count = 0;
  while (frontier.length) {
    frontier = frontier.filter((i) => maze[i] !== '#' && !visited.has(i));
    if (frontier.includes(goal)) return count;
    frontier.forEach((i) => visited.add(i));
    frontier = frontier.flatMap((i) => {
      const next = [i - width, i + width];
      if (i % width) next.push(i - 1);
      if ((i + 1) % width) next.push(i + 1);
      if (maze[i] !== '.') [...maze].forEach((c, j) => c === maze[i] && next.push(j));
      return next.filter((j) => j >= 0 && j <= goal);
    });
    count++;
  }
  return -1;
};
