/**
 * Numbers from 0 (inclusive) to 1 (exclusive), the same every time for a seed: a counter through the finaliser of
 * MurmurHash3 (Appleby 2011).
 */
export function seeded(seed: number): () => number {
  let counter = Math.imul(seed, 0x9e3779b9)
  return () => {
    counter = (counter + 0x9e3779b9) | 0
    let x = counter
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
  }
}

/** One of the items. */
export function drawn<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]
}

/** The items in random order (Fisher, Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}
