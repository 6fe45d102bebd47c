/** Whether both have the same bytes in the same order, or neither is there. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.length !== b.length) return false
  // A loop: ids are compared with each look into a table, and `every` calls a function for each byte.
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
