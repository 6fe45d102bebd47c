/**
 * Whether two JSON values say the same. The order of members does not matter, and those that are `undefined` are none.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [membersOf(a), membersOf(b)]
  return (
    left.size === right.size && [...left].every(([name, value]) => right.has(name) && isSame(value, right.get(name)))
  )
}

function membersOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}
