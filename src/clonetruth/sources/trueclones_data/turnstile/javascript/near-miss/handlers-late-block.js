function visitors(events) {
  let coins = 0;
  let failures = 0;
  let total = 0;
  const handlers = {
    c() {
      if (coins !== 3) coins += 1;
    },
    p() {
      if (coins) {
        coins -= 1;
        failures = 0;
        total += 1;
      } else {
        failures += 1;
      }
    },
  };
  for (const event of events) {
    if (event === 'r') {
      coins = failures = 0;
    } else if (failures <= 3) {
      handlers[event]();
    }
  }
  return total;
}
