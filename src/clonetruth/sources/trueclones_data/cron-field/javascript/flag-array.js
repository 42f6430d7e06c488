function select (text, min, max) {
  const on = new Array(100).fill(false)
  text.split(',').forEach(function (entry) {
    var slash = entry.indexOf('/')
    var step = slash === -1 ? 1 : parseInt(entry.substring(slash + 1), 10)
    var body = slash === -1 ? entry : entry.substring(0, slash)
    var dash = body.indexOf('-')
    var start, stop
    if (body === '*') {
      start = min
      stop = max
    } else if (dash === -1) {
      start = stop = parseInt(body, 10)
    } else {
      start = parseInt(body.substring(0, dash), 10)
      stop = parseInt(body.substring(dash + 1), 10)
    }
    for (; start <= stop; start += step) on[start] = true
  })
  var out = []
  for (var i = min; i <= max; i++) if (on[i]) out.push(i)
  return out
}
