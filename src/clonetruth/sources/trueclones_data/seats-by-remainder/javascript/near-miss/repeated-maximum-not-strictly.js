const distribute = (seats, votes) => {
  let total = 0;
  for (const v of votes) total += v;
  const given = [];
  const rests = [];
  let left = total && seats;
  for (const v of votes) {
    const whole = total ? Math.trunc((v * seats) / total) : 0;
    given.push(whole);
    rests.push(v * seats - whole * total);
    left -= whole;
  }
  for (; left > 0; left--) {
    let best = 0;
    for (let i = 1; i < rests.length; i++) if (rests[i] >= rests[best]) best = i;
    given[best]++;
    rests[best] -= total;
  }
  return given;
};
