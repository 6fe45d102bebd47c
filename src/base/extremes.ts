/** The least of any number of values; `Infinity` of none. `Math.min(...values)` throws where there are very many. */
export function least(values: Iterable<number>): number {
  let found = Infinity
  for (const value of values) if (value < found) found = value
  return found
}

/** The greatest of any number of values; `-Infinity` of none. */
export function greatest(values: Iterable<number>): number {
  let found = -Infinity
  for (const value of values) if (value > found) found = value
  return found
}
