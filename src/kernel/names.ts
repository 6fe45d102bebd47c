/** Names one after the other as UTF-8; `ends[i]` is where name `i` ends. */
export interface PackedNames {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

const utf8 = new TextEncoder()

/** Packs names so that they cross to WebAssembly in one copy. */
export function packNames(names: readonly string[]): PackedNames {
  const ends = new Uint32Array(names.length)
  const together = names.join('')
  const bytes = utf8.encode(together)
  let end = 0
  if (bytes.length === together.length) {
    // All ASCII: as many bytes as characters.
    for (let i = 0; i < names.length; i++) ends[i] = end += names[i].length
    return { bytes, ends }
  }
  // Halves of a surrogate pair in neighbouring names must not become one character: each by itself.
  const space = new Uint8Array(3 * together.length)
  for (let i = 0; i < names.length; i++) ends[i] = end += utf8.encodeInto(names[i], space.subarray(end)).written
  return { bytes: space.subarray(0, end), ends }
}
