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

/**
 * What was aimed at: of the engine as it grows and of observing by a column of their tables, of the kernel's scans by
 * their ratio to the native one.
 */
interface Aim {
  readonly name: string
  readonly section: 'sizes' | 'ingest' | 'kernel'
  readonly count: number
  readonly place: 'node' | 'chromium'
  /** Of a scan: its key. */
  readonly column: string
  readonly most?: number
  readonly least?: number
  readonly unit: string
}

const scan = (name: string, column: string, most: number, count = 98_304): Aim => ({
  name,
  section: 'kernel',
  count,
  place: 'node',
  column,
  most,
  unit: '× native',
})
const grows = (
  name: string,
  count: number,
  place: Aim['place'],
  column: string,
  bound: Pick<Aim, 'most' | 'least'>,
  unit: string,
): Aim => ({ name, section: 'sizes', count, place, column, ...bound, unit })

const AIMS: readonly Aim[] = [
  scan('exact scan, cold, one thread', 'exact1', 0.6),
  scan('the same, one of eight at once', 'batch8', 0.36),
  scan('the same in two stages', 'twoStage', 0.2),
  scan('exact scan, cold, two workers', 'workers2at1M', 0.32, 983_040),
  grows('recall of ten, p95', 100_000, 'chromium', 'recall p95 ms', { most: 20 }, 'ms'),
  grows('recall of ten, p95', 1_000_000, 'chromium', 'recall p95 ms', { most: 50 }, 'ms'),
  grows('recall in a session of 1 %, p50', 1_000_000, 'chromium', 'one session p50 ms', { most: 15 }, 'ms'),
  grows('the same, p95', 1_000_000, 'chromium', 'one session p95 ms', { most: 15 }, 'ms'),
  grows('open', 100_000, 'chromium', 'open to complete answer ms', { most: 1000 }, 'ms'),
  grows('open', 1_000_000, 'chromium', 'open to complete answer ms', { most: 5000 }, 'ms'),
  grows('observe, durable', 100_000, 'chromium', 'observe /s', { least: 5000 }, '/s'),
  grows('observe, durable', 100_000, 'node', 'observe /s', { least: 10_000 }, '/s'),
  {
    name: 'observe one, durable, p50',
    section: 'ingest',
    count: 100_000,
    place: 'chromium',
    column: 'one p50 ms',
    most: 5,
    unit: 'ms',
  },
  {
    name: 'observe one, durable, p50',
    section: 'ingest',
    count: 100_000,
    place: 'node',
    column: 'one p50 ms',
    most: 5,
    unit: 'ms',
  },
  grows('WebAssembly', 1_000_000, 'chromium', 'WASM MB', { most: 2500 }, 'MB'),
  grows('JavaScript heap', 1_000_000, 'chromium', 'JS heap MB', { most: 200 }, 'MB'),
]

/** The parts of docs/performance.md that are measured, by the name of their place in it. */
export function written({
  machines,
  sections,
  tables,
}: {
  machines: readonly Machine[]
  sections: readonly Section[]
  tables: readonly Table[]
}): Record<string, string> {
  const parts: Record<string, string> = {}
  const processors = new Set(machines.map(({ processor, cores }) => `${processor}, ${cores} cores`))
  if (processors.size > 1) throw new Error(`measured on several machines: ${[...processors].join('; ')}`)
  const last = machines.at(-1)
  if (last !== undefined) parts['machine'] = described(last)
  const growth = tables.find(({ subject }) => subject?.section === 'growth')
  if (growth !== undefined) parts['growth'] = markdown(growth.columns, growth.rows)
  const scans = new Map(
    sections
      .filter(({ count }) => count !== undefined)
      .map((section) => [`${section.count}, ${section.setting}`, section]),
  )
  if (scans.size > 0) parts['kernel'] = scanned([...scans.values()].sort((a, b) => a.count! - b.count!))
  const places = tables.filter(({ subject }) => subject?.section === 'sizes')
  if (places.length > 0) Object.assign(parts, { sizes: grown(places), aims: aims(tables, sections) })
  for (const name of ['heaviest', 'partial', 'postings', 'ingest']) {
    const largest = tables
      .filter(({ subject }) => subject?.section === name)
      .sort((a, b) => countOf(a) - countOf(b))
      .at(-1)
    if (largest !== undefined)
      parts[name] = [`${largest.title}.`, markdown(largest.columns, largest.rows), ...(largest.notes ?? [])].join(
        '\n\n',
      )
  }
  for (const [kind, found] of byKind(tables)) parts[`peers ${kind}`] = `${answers(kind, found)}\n\n${costs(found)}`
  return parts
}

function described({ date, processor, cores, memoryGB, node, versions }: Machine): string {
  return `${date}; ${processor}, ${cores} cores, ${memoryGB} GB; Node ${node}. ${Object.entries(versions)
    .map((pair) => pair.join(' '))
    .join(', ')}.`
}

function markdown(columns: readonly string[], rows: readonly TableRow[]): string {
  const lines = rows.map(({ name, cells, failure }) => [
    name,
    ...columns.map((column, i) => (failure === undefined ? cell(cells[column]) : i === 0 ? failure : '')),
  ])
  return [['', ...columns], ['---', ...columns.map(() => '--:')], ...lines]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

/** Milliseconds and ratios, the sizes side by side. */
function scanned(sections: readonly Section[]): string {
  const names = [...new Set(sections.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const title = ({ count, setting }: Section) => `${count!.toLocaleString('en')}, ${setting}`
  return markdown(
    sections.flatMap((section) => [`${title(section)}, ms`, '× native']),
    [],
  )
    .split('\n')
    .concat(
      names.map(
        (name) =>
          `| ${[
            name,
            ...sections.flatMap(({ rows }) => {
              const row = rows.find((other) => other.name === name)
              return [cell(row?.value), row?.ratio?.toFixed(2) ?? '–']
            }),
          ].join(' | ')} |`,
      ),
    )
    .join('\n')
}

/** A row a figure, a column a place and size. */
function grown(places: readonly Table[]): string {
  const columns = places.flatMap(({ subject, rows }) =>
    [...rows]
      .sort((a, b) => Number(a.cells['count']) - Number(b.cells['count']))
      .map((row) => ({ place: subject?.place === 'node' ? 'Node' : 'Chromium', row })),
  )
  const titles = columns.map(({ place, row }) => `${place}, ${row.name.replace(' turns', '')}`)
  const rows = places[0].columns.map((name) => ({
    name,
    cells: Object.fromEntries(columns.map(({ row }, i) => [titles[i], row.failure ?? row.cells[name]])),
  }))
  return markdown(titles, rows)
}

function aims(tables: readonly Table[], sections: readonly Section[]): string {
  const rows = AIMS.map((aim): TableRow => {
    const { name, section, count, place, most, least, unit } = aim
    const value = section === 'kernel' ? ratioOf(aim, sections) : figureOf(aim, tables)
    const met =
      typeof value !== 'number'
        ? ''
        : (most === undefined || value < most) && (least === undefined || value >= least)
          ? 'yes'
          : 'no'
    return {
      name: `${name}, ${count.toLocaleString('en')}, ${place === 'node' ? 'Node' : 'Chromium'}`,
      cells: {
        aim: `${most === undefined ? '≥' : '<'} ${(most ?? least)!.toLocaleString('en')} ${unit}`,
        measured: typeof value === 'number' ? `${cell(value)} ${unit}` : (value ?? '–'),
        met,
      },
    }
  })
  return markdown(['aim', 'measured', 'met'], rows)
}

function ratioOf({ count, column }: Aim, sections: readonly Section[]): number | undefined {
  const rows = sections.filter((section) => section.count === count).flatMap(({ rows }) => rows)
  return rows.find(({ key }) => key === column)?.ratio
}

/** A figure, or why there is none. */
function figureOf({ section, count, place, column }: Aim, tables: readonly Table[]): number | string | undefined {
  const of = tables.filter(({ subject }) => subject?.section === section && (subject.place ?? place) === place)
  const row = of
    .flatMap(({ rows }) => rows)
    .find(({ cells }) => cells['count'] === count && (cells['place'] ?? place) === place)
  return row?.failure ?? row?.cells[column]
}

/** Time, ratio and rightness at each size. */
function answers(kind: string, found: readonly Table[]): string {
  const right = kind === 'texts' ? 'hit@10' : 'recall@10'
  const names = [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const columns = found.flatMap((table) => [
    `${countOf(table).toLocaleString('en')} ${ABOUT[kind].split(',')[0]}: p50 ms`,
    'p95 ms',
    '× ours',
    right,
  ])
  const lines = names.map((name) => [
    name,
    ...found.flatMap(({ rows }) => {
      const row = rows.find((other) => other.name === name)
      if (row?.failure !== undefined) return [row.failure, '', '', '']
      return ['p50 ms', 'p95 ms', '× ours', right].map((column) => cell(row?.cells[column]))
    }),
  ])
  return [['', ...columns], ['---', ...columns.map(() => '--:')], ...lines]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

/** What it takes to have it, at the largest size that each could build. */
function costs(found: readonly Table[]): string {
  const names = [...new Set(found.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  const rows = names.flatMap((name) => {
    const built = [...found]
      .reverse()
      .flatMap((table) =>
        table.rows
          .filter((row) => row.name === name && row.cells['build s'] !== undefined)
          .map((row) => ({ row, count: countOf(table) })),
      )[0]
    return built === undefined ? [] : [{ name, cells: { ...built.row.cells, of: built.count } }]
  })
  return markdown(['of', 'items/s', 'RSS MB', 'own MB', 'disk MB', 'open ms'], rows)
}
