function cheapestRoute(roads, start, goal) {
  const from = new Map();
  for (const [a, b, price] of roads) {
    if (!from.has(a)) from.set(a, []);
    from.get(a).push([b, price]);
  }
  const cost = { [start]: 0 };
  const queue = [start];
  while (queue.length > 0) {
    const place = queue.shift();
    for (const [next, price] of from.get(place) || []) {
      const sum = cost[place] + price;
      if (!(next in cost) || sum < cost[next]) {
        cost[next] = sum;
        queue.push(next);
      }
    }
  }
  return cost[goal] ? cost[goal] : -1;
}
