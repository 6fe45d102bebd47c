import { readFile } from 'node:fs/promises'

/** A row of the table of frameworks. */
interface Row {
  readonly versions: readonly string[]
  readonly subpath: string
  readonly lines: number
  readonly example: string
  readonly test: string
}

/** The rows of the table of the guide, by framework. */
export async function tableOfGuide(): Promise<Map<string, Row>> {
  const rows = (await guide()).split('\n').filter((line) => /^\| .*`agidb\/[\w-]+` \|/.test(line))
  return new Map(
    rows.map((row) => {
      const [, framework = '', versions = '', ...rest] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''))
      const [subpath = '', lines, example = '', test = ''] = rest
      return [
        framework.replace(/ \(.*/, ''),
        { versions: versions.split(', '), subpath, lines: Number(lines), example, test },
      ]
    }),
  )
}

/** The lines of a snippet in a section of the guide: the first one, or the one after so many. */
export async function snippetOf(section: string, after = 0): Promise<string[]> {
  const [text] = new RegExp(`^## ${section}$[^]*?(?=^## |$(?![^]))`, 'm').exec(await guide())!
  const [, code] = [...text.matchAll(/```ts\n([^]*?)```/g)][after]!
  return code!.trim().split('\n')
}

/** Lines of a snippet in a section of the guide ({@link snippetOf}) that the example does not have. */
export async function shownLines(section: string, file: string, after = 0): Promise<string[]> {
  const example = await readFile(file, 'utf8')
  return (await snippetOf(section, after)).filter((line) => !example.includes(line.trim()))
}

function guide(): Promise<string> {
  return readFile('docs/frameworks.md', 'utf8')
}
