/** Adds a value to the set of a key, which is made where there is none. */
export function enter<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const same = sets.get(key)
  if (same === undefined) sets.set(key, new Set([value]))
  else same.add(value)
}

/** Takes a value out of the set of a key; a set without values goes. The inverse of {@link enter}. */
export function leave<K, V>(sets: Map<K, Set<V>>, key: K, value: V): void {
  const same = sets.get(key)
  same?.delete(value)
  if (same?.size === 0) sets.delete(key)
}
