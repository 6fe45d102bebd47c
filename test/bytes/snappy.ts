/**
 * Decompresses a block of Snappy (google/snappy, format_description.txt) as far as it goes: what follows the block is
 * ignored. `undefined` where there is none.
 */
export function unsnappy(bytes: Uint8Array, start = 0): Uint8Array | undefined {
  let at = start
  let length = 0
  for (let shift = 0; ; shift += 7) {
    if (at >= bytes.length || shift > 28) return undefined
    const byte = bytes[at++]
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  if (length > 2 ** 28) return undefined
  const into = new Uint8Array(length)
  let done = 0
  const little = (count: number): number => {
    let number = 0
    for (let i = 0; i < count; i++) number += bytes[at++] * 256 ** i
    return number
  }
  while (done < length && at < bytes.length) {
    const tag = bytes[at++]
    const kind = tag & 3
    if (kind === 0) {
      const size = tag >> 2
      const count = 1 + (size < 60 ? size : little(size - 59))
      if (at + count > bytes.length || done + count > length) return undefined
      into.set(bytes.subarray(at, at + count), done)
      at += count
      done += count
    } else {
      const count = kind === 1 ? 4 + ((tag >> 2) & 7) : 1 + (tag >> 2)
      const back = kind === 1 ? ((tag >> 5) << 8) + little(1) : little(kind === 2 ? 2 : 4)
      if (!(back > 0 && back <= done) || done + count > length) return undefined
      // One by one: what is copied may begin in what it makes.
      for (let i = 0; i < count; i++, done++) into[done] = into[done - back]
    }
  }
  return done === length ? into : undefined
}
