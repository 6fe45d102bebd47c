const DIMENSIONS = 256

/**
 * A bag of words in 256 dimensions: each word adds 1 or −1 to the dimension that its hash names. For stores that search
 * vectors and make none: which vectors they are given makes no difference to what a deletion leaves.
 */
export function embedding(text: string): number[] {
  const sums = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const hash = fnv(word)
    sums[hash % DIMENSIONS] += hash & 0x10000 ? 1 : -1
  }
  const length = Math.hypot(...sums) || 1
  return sums.map((sum) => sum / length)
}

/** FNV-1a, 32 bits. */
function fnv(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
