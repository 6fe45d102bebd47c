/** A number and what it counts: `1 memory`, `1,200 memories`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}
