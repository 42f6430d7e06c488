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
        if (!(next in cost)) queue.push(next);
        cost[next] = sum;
      }
    }
  }
  return goal in cost ? cost[goal] : -1;
}
