// Counts what is missing in the bucket; a refill pays one token back.
function tokensLeft(capacity, interval, times) {
  const answers = [];
  let missing = 0;
  let seen = 0;
  times.forEach(time => {
    while (missing > 0 && seen + interval <= time) {
      seen += interval;
      missing--;
    }
    seen = missing > 0 ? time - (time % interval) : seen;
    if (missing < capacity) answers.push(capacity - ++missing);
    else answers.push(-1);
  });
  return answers;
}
