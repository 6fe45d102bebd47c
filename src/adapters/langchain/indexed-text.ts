/** Members whose names say nothing that their text does not. */
const PLAIN = new Set(['text', 'content', 'memory', 'data', 'value'])

/** A string, a number or a truth value in a value, after its path. */
interface Line {
  readonly path: string
  readonly said: string
}

/**
 * What a query finds a value by: a line for each string, number and truth value in it, after its path; or those at the
 * paths of `index` alone (`title`, `chapters[*].content`, `authors[0].name`, `$` for all). `undefined` where there is
 * none, or `index` is `false`.
 *
 * @param most UTF-16 units that it may have. Where paths make it longer each stands once, then none, so that no long
 *   array of numbers is refused for its name.
 */
export function textOf(value: Record<string, unknown>, index: false | readonly string[] | undefined, most: number) {
  if (index === false) return undefined
  const lines = (index ?? ['$']).flatMap((path) =>
    path === '$' ? linesOf(value, '') : at(value, stepsOf(path)).flatMap((found) => linesOf(found, '')),
  )
  const told = new Set<string>()
  const isNew = (path: string) => told.size < told.add(path).size
  const text =
    written(lines, most, () => true) ??
    written(lines, most, isNew) ??
    lines
      .map(({ said }) => said)
      .join('\n')
      .slice(0, most)
      .trim()
  return text === '' ? undefined : text
}

/** Lines as a text, each after its path where that is named; `undefined` for a longer one than `most`. */
function written(lines: readonly Line[], most: number, isNamed: (path: string) => boolean): string | undefined {
  let text = ''
  for (const { path, said } of lines) {
    text += path !== '' && isNamed(path) ? `${path}: ${said}\n` : `${said}\n`
    if (text.length > most) return undefined
  }
  return text.trim()
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

function linesOf(value: unknown, path: string): Line[] {
  if (Array.isArray(value)) return value.flatMap((item) => linesOf(item, path))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => {
      if (PLAIN.has(name)) return linesOf(member, path)
      return linesOf(member, path === '' ? name : `${path} ${name}`)
    })
  if (value === null || value === undefined || value === '') return []
  return [{ path, said: String(value) }]
}
