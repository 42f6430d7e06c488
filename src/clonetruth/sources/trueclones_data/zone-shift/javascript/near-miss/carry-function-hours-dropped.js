function timeThere(time, fromOffset, toOffset) {
  const carry = (value, size) => {
    let over = 0
    while (value < 0) {
      value += size
      over -= 1
    }
    while (value >= size) {
      value -= size
      over += 1
    }
    return [value, over]
  }
  const [minute, hours] = carry(+time.slice(3) + (toOffset - fromOffset), 60)
  const [hour, day] = carry(+time.slice(0, 2) + Math.max(hours, 0), 24)
  const two = (n) => ('0' + n).slice(-2)
  let result = two(hour) + ':' + two(minute)
  if (day > 0) result += ' +' + day
  else if (day < 0) result += ' ' + day
  return result
}
