const numbersOf = (field, low, high) => {
  const tests = field.split(',').map((item) => {
    const { all, a, b, n } = /^(?:(?<all>\*)|(?<a>\d+)(?:-(?<b>\d+))?)(?:\/(?<n>\d+))?$/.exec(item).groups
    const first = all ? low : +a
    const last = all ? high : +(b ?? a)
    return (x) => x >= first && x <= last && (x - first) % (n ?? 1) === 0
  })
  return Array.from({ length: high - low + 1 }, (_, i) => low + i).filter((x) => tests.some((t) => t(x)))
}
