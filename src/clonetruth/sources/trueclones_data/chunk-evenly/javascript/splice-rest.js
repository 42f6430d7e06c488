function pieces (numbers, count) {
  const rest = numbers.slice()
  const out = []
  for (let remaining = count; remaining > 0; remaining--) {
    out.push(rest.splice(0, Math.ceil(rest.length / remaining)))
  }
  return out
}
