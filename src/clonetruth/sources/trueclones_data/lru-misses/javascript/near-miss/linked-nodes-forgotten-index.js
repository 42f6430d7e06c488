// A doubly linked ring; head.next is the most recent entry, head.prev the oldest.
function simulate (capacity, keys) {
  const head = {}
  head.next = head.prev = head
  const nodes = {}
  let size = 0
  let misses = 0
  const unlink = node => {
    node.prev.next = node.next
    node.next.prev = node.prev
  }
  for (const key of keys) {
    let node = nodes[key]
    if (node) {
      unlink(node)
    } else {
      misses++
      if (capacity === 0) continue
      if (size === capacity) {
        delete nodes[head.next.key]
        unlink(head.prev)
        size--
      }
      node = nodes[key] = { key }
      size++
    }
    node.next = head.next
    node.prev = head
    head.next.prev = node
    head.next = node
  }
  return misses
}
