import type { Machine } from './machine.js'
import { ABOUT, byKind, countOf } from './plots.js'
import type { Section } from './section.js'
import { cell, type Table, type TableRow } from './tabular.js'

/** What `npm run bench:speed -- --json FILE` writes. */
export interface Measurement {
  readonly machine: Machine
  readonly sections: readonly Section[]
  readonly tables: readonly Table[]
}

/** What was aimed at, of the engine as it grows. */
interface Aim {
  readonly name: string
  readonly count: number
  readonly place: 'node' | 'chromium'
  readonly column: string
  readonly most?: number
  readonly least?: number
  readonly unit: string
}

const AIMS: readonly Aim[] = [
  { name: 'recall of ten, p95', count: 100_000, place: 'chromium', column: 'recall p95 ms', most: 20, unit: 'ms' },
  { name: 'recall of ten, p95', count: 1_000_000, place: 'chromium', column: 'recall p95 ms', most: 50, unit: 'ms' },
  { name: 'recall in a session of 1 %, p50', count: 1_000_000, place: 'chromium', column: 'one session p50 ms', most: 15, unit: 'ms' },
  { name: 'open', count: 100_000, place: 'chromium', column: 'open to complete answer ms', most: 1000, unit: 'ms' },
  { name: 'open', count: 1_000_000, place: 'chromium', column: 'open to complete answer ms', most: 5000, unit: 'ms' },
  { name: 'observe, durable', count: 100_000, place: 'chromium', column: 'observe /s', least: 5000, unit: '/s' },
  { name: 'observe, durable', count: 100_000, place: 'node', column: 'observe /s', least: 10_000, unit: '/s' },
  { name: 'WebAssembly', count: 1_000_000, place: 'chromium', column: 'WASM MB', most: 2500, unit: 'MB' },
  { name: 'JavaScript heap', count: 1_000_000, place: 'chromium', column: 'JS heap MB', most: 200, unit: 'MB' },
]

/** The parts of docs/performance.md that are measured, by the name of their place in it. */
export function written({ machines, sections, tables }: { machines: readonly Machine[]; sections: readonly Section[]; tables: readonly Table[] }): Record<string, string> {
  const parts: Record<string, string> = {}
  const last = machines.at(-1)
  if (last !== undefined) parts['machine'] = described(last)
  const growth = tables.find(({ subject }) => subject?.section === 'growth')
  if (growth !== undefined) parts['growth'] = markdown(growth.columns, growth.rows)
  const scans = new Map(sections.filter(({ count }) => count !== undefined).map((section) => [`${section.count}, ${section.setting}`, section]))
  if (scans.size > 0) parts['kernel'] = scanned([...scans.values()].sort((a, b) => a.count! - b.count!))
  const places = tables.filter(({ subject }) => subject?.section === 'sizes')
  if (places.length > 0) Object.assign(parts, { sizes: grown(places), aims: aims(places) })
  for (const name of ['heaviest', 'partial']) {
    const largest = tables.filter(({ subject }) => subject?.section === name).sort((a, b) => countOf(a) - countOf(b)).at(-1)
    if (largest !== undefined) parts[name] = `${largest.title}.\n\n${markdown(largest.columns, largest.rows)}`
  }
  for (const [kind, found] of byKind(tables)) parts[`peers ${kind}`] = `${answers(kind, found)}\n\n${costs(found)}`
  return parts
}

function described({ date, processor, cores, memoryGB, node, versions }: Machine): string {
  return `${date}; ${processor}, ${cores} cores, ${memoryGB} GB; Node ${node}. ${Object.entries(versions).map((pair) => pair.join(' ')).join(', ')}.`
}

function markdown(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = rows.map(({ name, cells, failure }) => [name, ...columns.map((column, i) => (failure === undefined ? cell(cells[column]) : i === 0 ? failure : ''))])
  return [['', ...columns], ['---', ...columns.map(() => '--:')], ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Milliseconds and ratios, the sizes side by side. */
function scanned(sections: readonly Section[]): string {
  const names = [...new Set(sections.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const title = ({ count, setting }: Section) => `${count!.toLocaleString('en')}, ${setting}`
  return markdown(sections.flatMap((section) => [`${title(section)}, ms`, '× native']), []).split('\n').concat(
    names.map((name) => `| ${[name, ...sections.flatMap(({ rows }) => {
      const row = rows.find((other) => other.name === name)
      return [cell(row?.value), row?.ratio?.toFixed(2) ?? '–']
    })].join(' | ')} |`),
  ).join('\n')
}

/** A row a figure, a column a place and size. */
function grown(places: readonly Table[]): string {
  const columns = places.flatMap(({ subject, rows }) => [...rows].sort((a, b) => Number(a.cells['count']) - Number(b.cells['count'])).map((row) => ({ place: subject?.place === 'node' ? 'Node' : 'Chromium', row })))
  const titles = columns.map(({ place, row }) => `${place}, ${row.name.replace(' turns', '')}`)
  const rows = places[0].columns.map((name) => ({ name, cells: Object.fromEntries(columns.map(({ row }, i) => [titles[i], row.failure ?? row.cells[name]])) }))
  return markdown(titles, rows)
}

function aims(places: readonly Table[]): string {
  const rows = AIMS.map(({ name, count, place, column, most, least, unit }): TableRow => {
    const row = places.find(({ subject }) => subject?.place === place)?.rows.find(({ cells }) => cells['count'] === count)
    const value = row?.cells[column]
    const met = typeof value !== 'number' ? '' : (most === undefined || value < most) && (least === undefined || value >= least) ? 'yes' : 'no'
    return {
      name: `${name}, ${count.toLocaleString('en')}, ${place === 'node' ? 'Node' : 'Chromium'}`,
      cells: { aim: `${most === undefined ? '≥' : '<'} ${(most ?? least)!.toLocaleString('en')} ${unit}`, measured: row?.failure ?? (value === undefined ? '–' : `${cell(value)} ${unit}`), met },
    }
  })
  return markdown(['aim', 'measured', 'met'], rows)
}

/** Time, ratio and rightness at each size. */
function answers(kind: string, found: readonly Table[]): string {
  const right = kind === 'texts' ? 'hit@10' : 'recall@10'
  const names = [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const columns = found.flatMap((table) => [`${countOf(table).toLocaleString('en')} ${ABOUT[kind].split(',')[0]}: p50 ms`, 'p95 ms', '× ours', right])
  const lines = names.map((name) => [name, ...found.flatMap(({ rows }) => {
    const row = rows.find((other) => other.name === name)
    if (row?.failure !== undefined) return [row.failure, '', '', '']
    return ['p50 ms', 'p95 ms', '× ours', right].map((column) => cell(row?.cells[column]))
  })])
  return [['', ...columns], ['---', ...columns.map(() => '--:')], ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** What it takes to have it, at the largest size that each could build. */
function costs(found: readonly Table[]): string {
  const names = [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const rows = names.flatMap((name) => {
    const built = [...found].reverse().flatMap((table) => table.rows.filter((row) => row.name === name && row.cells['build s'] !== undefined).map((row) => ({ row, count: countOf(table) })))[0]
    return built === undefined ? [] : [{ name, cells: { ...built.row.cells, of: built.count } }]
  })
  return markdown(['of', 'items/s', 'RSS MB', 'own MB', 'disk MB', 'open ms'], rows)
}
