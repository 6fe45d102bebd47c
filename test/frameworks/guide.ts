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

/** The lines of the snippet in a section of the guide. */
export async function snippetOf(section: string): Promise<string[]> {
  const [, code] = new RegExp(`^## ${section}$[^]*?\`\`\`ts\n([^]*?)\`\`\``, 'm').exec(await guide())!
  return code!.trim().split('\n')
}

/** Lines of the snippet in a section of the guide that the example does not have. */
export async function shownLines(section: string, file: string): Promise<string[]> {
  const example = await readFile(file, 'utf8')
  return (await snippetOf(section)).filter((line) => !example.includes(line.trim()))
}

function guide(): Promise<string> {
  return readFile('docs/frameworks.md', 'utf8')
}
