import type { Axis, Chart, Series } from './chart.js'
import type { Table, TableRow } from './tabular.js'

/** What the kinds of items are called. */
export const ABOUT: Readonly<Record<string, string>> = {
  bits: 'signatures, 8,192 bits',
  random: 'random signatures, 8,192 bits',
  latents: 'latents, 256 floats',
  texts: 'whole texts',
}

/** Time and memory of the engine as it grows, where it runs. */
export function sizePlots(tables: readonly Table[]): Record<string, Chart> {
  const places = tables.filter(({ subject }) => subject?.section === 'sizes')
  if (places.length === 0) return {}
  const x: Axis = { label: 'turns', log: true, written: short }
  const of = (column: string, name: string): Series[] =>
    places.map(({ subject, rows }) => ({
      name: `${name}, ${subject?.place === 'node' ? 'Node' : 'Chromium'}`,
      points: points(rows, 'count', column),
      ours: subject?.place === 'node',
    }))
  return {
    'sizes-time': {
      title: 'Time of the engine as it grows',
      x,
      y: { label: 'milliseconds', log: true },
      series: [
        ...of('open ms', 'open'),
        ...of('recall p95 ms', 'recall of ten, p95'),
        ...of('recall p50 ms', 'recall of ten, p50'),
        ...of('one session p50 ms', 'in one session, p50'),
      ],
    },
    'sizes-memory': {
      title: 'Memory and storage of the engine as it grows',
      x,
      y: { label: 'MB', log: true },
      series: [
        ...of('disk MB', 'storage'),
        ...of('process MB', 'process'),
        ...of('WASM MB', 'WebAssembly'),
        ...of('buffers MB', 'buffers'),
        ...of('JS heap MB', 'JavaScript heap'),
      ],
    },
  }
}

/**
 * This library beside others: of each kind how time and memory grow, and at the largest size how much is found in what
 * time.
 */
export function peerPlots(tables: readonly Table[]): Record<string, Chart> {
  const charts: Record<string, Chart> = {}
  for (const [kind, found] of byKind(tables)) {
    const right = kind === 'texts' ? 'hit@10' : 'recall@10'
    const rows = found
      .flatMap((table) => table.rows.map((row) => ({ ...row, cells: { ...row.cells, count: countOf(table) } })))
      .filter(({ name }) => !isControl(name))
    const names = [...new Set(rows.map(({ name }) => name))]
    const over = (x: string, y: string, among: readonly TableRow[]): Series[] =>
      names.map((name) => ({
        name,
        points: points(
          among.filter((row) => row.name === name),
          x,
          y,
        ),
        ours: name.startsWith('agidb'),
      }))
    // At the very largest few contenders are left.
    const answered = ({ rows }: Table) => rows.filter(({ cells }) => cells['p50 ms'] !== undefined).length
    const largest = Math.max(...found.filter((table) => 2 * answered(table) >= table.rows.length).map(countOf))
    const time: Axis = { label: 'time of an answer, p50, milliseconds', log: true }
    const items: Axis = { label: 'items', log: true, written: short }
    charts[`peers-${kind}-time`] = {
      title: `Ten of the ${ABOUT[kind]}`,
      x: items,
      y: time,
      series: over('count', 'p50 ms', rows),
    }
    charts[`peers-${kind}-memory`] = {
      title: `Main memory for the ${ABOUT[kind]}`,
      x: items,
      y: { label: 'growth of the process, MB', log: true, from: 1 },
      series: over('count', 'RSS MB', rows),
    }
    charts[`peers-${kind}-recall`] = {
      title: `${right} and time, ${largest.toLocaleString('en')} ${ABOUT[kind]}`,
      x: time,
      y: { label: right, log: false, from: 0, to: 1 },
      series: over(
        'p50 ms',
        right,
        rows.filter(({ cells }) => cells.count === largest),
      ),
    }
  }
  return charts
}

/** The tables of each kind of items, the smallest first. */
export function byKind(tables: readonly Table[]): Map<string, Table[]> {
  const peers = tables.filter(({ subject }) => subject?.section === 'peers').sort((a, b) => countOf(a) - countOf(b))
  return new Map(
    Object.keys(ABOUT)
      .map((kind) => [kind, peers.filter(({ subject }) => subject?.kind === kind)] as const)
      .filter(([, found]) => found.length > 0),
  )
}

export function countOf({ subject }: Table): number {
  return Number(subject?.count)
}

/** Whether a row is the first contender once more. */
export function isControl(name: string): boolean {
  return name.endsWith(', again')
}

/** What was measured of both; a log axis has no place for what is not above 0. */
function points(rows: readonly TableRow[], x: string, y: string): [number, number][] {
  return rows
    .map(({ cells }) => [cells[x], cells[y]])
    .filter((pair): pair is [number, number] => pair.every((value) => typeof value === 'number'))
    .filter(([a, b]) => a > 0 && (b > 0 || y.includes('@')))
}

function short(value: number): string {
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${value / 1e3}k` : String(value)
}

/** The share of statements and fillers that are read back, by the number of statements in one signature. */
export function bundlePlot({ rows }: Table): Chart {
  const measured = rows.filter(({ cells }) => typeof cells.size === 'number')
  const shares = ['statements', 'subjects', 'predicates', 'objects', 'wrong']
  return {
    title: 'What is read back of a bundle, 10,000 concepts',
    x: { label: 'statements in one signature', log: false },
    y: { label: 'share', log: false, from: 0, to: 1 },
    series: shares.map((name) => ({ name, points: points(measured, 'size', name), ours: name === 'statements' })),
  }
}
