/**
 * Draws what `npm run bench:speed -- --only peers,sizes --json FILE` wrote, into docs/performance-*.svg:
 *
 *     npx tsx bench/plots.ts FILE... [--out FOLDER]
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chart, type Axis, type Chart, type Series } from './chart.js'
import type { Table, TableRow } from './tabular.js'

const { values, positionals } = parseArgs({
  options: { out: { type: 'string', default: fileURLToPath(new URL('../docs', import.meta.url)) } },
  allowPositionals: true,
})

const files = await Promise.all(positionals.map(async (path) => (JSON.parse(await readFile(path, 'utf8')) as { tables: Table[] }).tables))
const tables = files.flat()
const ABOUT: Record<string, string> = { bits: 'signatures, 8,192 bits', random: 'random signatures, 8,192 bits', latents: 'latents, 256 floats', texts: 'whole texts' }

for (const [name, drawn] of Object.entries({ ...sizes(), ...peers() })) {
  const path = join(values.out, `performance-${name}.svg`)
  await writeFile(path, chart(drawn))
  console.log(path)
}

/** Time and memory of the engine as it grows, where it runs. */
function sizes(): Record<string, Chart> {
  const places = tables.filter(({ subject }) => subject?.section === 'sizes')
  if (places.length === 0) return {}
  const x: Axis = { label: 'turns', log: true, written: short }
  const of = (column: string, name: string): Series[] =>
    places.map(({ subject, rows }) => ({ name: `${name}, ${subject?.place === 'node' ? 'Node' : 'Chromium'}`, points: points(rows, 'count', column), ours: subject?.place === 'node' }))
  return {
    'sizes-time': {
      title: 'Time of the engine as it grows',
      x,
      y: { label: 'milliseconds', log: true },
      series: [...of('open to answer ms', 'open to the first answer'), ...of('recall p95 ms', 'recall of ten, p95'), ...of('recall p50 ms', 'recall of ten, p50'), ...of('one session p50 ms', 'in one session, p50')],
    },
    'sizes-memory': {
      title: 'Memory and storage of the engine as it grows',
      x,
      y: { label: 'MB', log: true },
      series: [...of('disk MB', 'storage'), ...of('RSS MB', 'process'), ...of('kernel MB', 'kernel'), ...of('buffers MB', 'buffers'), ...of('JS heap MB', 'JavaScript heap')],
    },
  }
}

/** This library beside others: of each kind how the time grows, and at the largest size how much is found in what time. */
function peers(): Record<string, Chart> {
  const charts: Record<string, Chart> = {}
  for (const kind of new Set(tables.filter(({ subject }) => subject?.section === 'peers').map(({ subject }) => String(subject?.kind)))) {
    const found = tables.filter(({ subject }) => subject?.section === 'peers' && subject.kind === kind).sort((a, b) => countOf(a) - countOf(b))
    const right = kind === 'texts' ? 'hit@10' : 'recall@10'
    const rows = found.flatMap((table) => table.rows.map((row) => ({ ...row, cells: { ...row.cells, count: countOf(table) } }))).filter(({ name }) => !name.endsWith(', again'))
    const names = [...new Set(rows.map(({ name }) => name))]
    const over = (x: string, y: string, among: readonly TableRow[]): Series[] =>
      names.map((name) => ({ name, points: points(among.filter((row) => row.name === name), x, y), ours: name.startsWith('agidb') }))
    const largest = Math.max(...found.map(countOf))
    const time: Axis = { label: 'time of an answer, p50, milliseconds', log: true }
    charts[`peers-${kind}-time`] = { title: `Ten of the ${ABOUT[kind]}`, x: { label: 'items', log: true, written: short }, y: time, series: over('count', 'p50 ms', rows) }
    charts[`peers-${kind}-memory`] = { title: `Main memory for the ${ABOUT[kind]}`, x: { label: 'items', log: true, written: short }, y: { label: 'growth of the process, MB', log: true, from: 1 }, series: over('count', 'RSS MB', rows) }
    charts[`peers-${kind}-recall`] = {
      title: `${right} and time, ${largest.toLocaleString('en')} ${ABOUT[kind]}`,
      x: time,
      y: { label: right, log: false, from: 0, to: 1 },
      series: over('p50 ms', right, rows.filter(({ cells }) => cells.count === largest)),
    }
  }
  return charts
}

/** What was measured of both; a log axis has no place for what is not above 0. */
function points(rows: readonly TableRow[], x: string, y: string): [number, number][] {
  return rows.map(({ cells }): [number, number] => [Number(cells[x]), Number(cells[y])]).filter(([a, b]) => a > 0 && (b > 0 || y.includes('@')))
}

function countOf({ subject }: Table): number {
  return Number(subject?.count)
}

function short(value: number): string {
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value)
}
