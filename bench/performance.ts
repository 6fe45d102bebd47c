/**
 * Puts what `npm run bench:speed -- --only growth,kernel,sizes,peers --json FILE` wrote into docs/performance.md, as
 * tables, and draws the pictures that it names beside it:
 *
 *     npx tsx bench/performance.ts FILE... [--out FOLDER]
 *
 * Of what was measured twice the later file counts.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chart } from './chart.js'
import { written, type Measurement } from './document.js'
import { peerPlots, sizePlots } from './plots.js'
import type { Table } from './tabular.js'

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: fileURLToPath(new URL('../docs', import.meta.url)) } },
  allowPositionals: true,
})

const measurements = await Promise.all(
  positionals.map(async (path) => JSON.parse(await readFile(path, 'utf8')) as Measurement),
)
const tables = merged(measurements.flatMap(({ tables }) => tables))

const document = join(values.out, 'performance.md')
let text = await readFile(document, 'utf8')
for (const [name, table] of Object.entries(
  written({
    machines: measurements.map(({ machine }) => machine),
    sections: measurements.flatMap(({ sections }) => sections),
    tables,
  }),
)) {
  const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`)
  if (!place.test(text))
    throw new Error(`${document} has no place for ${name}: <!-- ${name} --> and after it <!-- end -->`)
  text = text.replace(place, (_, start: string, end: string) => `${start}\n${table}\n\n${end}`)
}
await writeFile(document, text)
console.log(document)

for (const [name, drawn] of Object.entries({ ...sizePlots(tables), ...peerPlots(tables) })) {
  const file = `performance-${name}.svg`
  if (!text.includes(`](${file})`)) continue
  await writeFile(join(values.out, file), chart(drawn))
  console.log(join(values.out, file))
}

/** One table a subject; rows of the same name are taken from the later. */
function merged(all: readonly Table[]): Table[] {
  const bySubject = new Map<string, Table>()
  for (const table of all) {
    const key = JSON.stringify(table.subject)
    const rows = new Map([...(bySubject.get(key)?.rows ?? []), ...table.rows].map((row) => [row.name, row]))
    bySubject.set(key, { ...table, rows: [...rows.values()] })
  }
  return [...bySubject.values()]
}
