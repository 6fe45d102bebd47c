/** Members whose names say nothing that their text does not. */
const PLAIN = new Set(['text', 'content', 'memory', 'data', 'value'])

/**
 * What a query finds a value by: a line for each string, number and truth value in it, after its path; or those at the
 * paths of `index` alone (`title`, `chapters[*].content`, `authors[0].name`, `$` for all). `undefined` where there is
 * none, or `index` is `false`.
 */
export function textOf(value: Record<string, unknown>, index: false | readonly string[] | undefined) {
  if (index === false) return undefined
  const lines = (index ?? ['$']).flatMap((path) =>
    path === '$' ? linesOf(value, '') : at(value, stepsOf(path)).flatMap((found) => linesOf(found, '')),
  )
  const text = lines.join('\n').trim()
  return text === '' ? undefined : text
}

/** The names and indexes of a path: `chapters[*].content` is `chapters`, `[*]`, `content`. */
function stepsOf(path: string): string[] {
  return path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []
}

function at(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (step === '*' || step === '[*]') return Object.values(value).flatMap((member) => at(member, rest))
  if (step.startsWith('[')) return Array.isArray(value) ? at(value.at(Number(step.slice(1, -1))), rest) : []
  return Object.hasOwn(value, step) ? at((value as Record<string, unknown>)[step], rest) : []
}

function linesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, path))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => {
      if (PLAIN.has(name)) return linesOf(member, path)
      return linesOf(member, path === '' ? name : `${path} ${name}`)
    })
  if (value === null || value === undefined || value === '') return []
  return [path === '' ? String(value) : `${path}: ${String(value)}`]
}
