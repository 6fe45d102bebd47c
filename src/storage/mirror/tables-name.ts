/** The name of the IndexedDB database of a database. */
export function tablesName(name: string): string {
  return `agidb:${name}`
}
