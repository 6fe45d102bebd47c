/** The parts of the pages that show figures, made of docs/figures.json. */
import { UsageError } from '../../bench/command.js'
import type { Measured } from './record.js'

export type Figures = Readonly<Record<string, Measured>>

const share = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''))
const amount = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : undefined })
const count = (value: number | undefined) => (value ?? 0).toLocaleString('en')

/** Each part by its name, as it stands between `<!-- figures NAME -->` and `<!-- end -->`. */
export const PARTS: Readonly<Record<string, (figures: Figures) => string>> = {
  recall: (figures) => modesPart(measured(figures, 'recall'), ['R@5', 'R@10', 'R@20', 'MRR', 'ECE', 'AUROC']),
  apollo: (figures) => modesPart(measured(figures, 'apollo'), ['hit@10', 'MRR', 'ECE', 'AUROC']),
  kills: (figures) => {
    const [node, chromium] = [measured(figures, 'kills-node'), measured(figures, 'kills-chromium')]
    return `${table(KILLS, [killsRow('Node', node), killsRow('Chromium', chromium)])}\n\n${when(node)}`
  },
  'read-back': (figures) => {
    const found = measured(figures, 'neurosymbolic')
    const shown = ['statements', 'subjects', 'predicates', 'objects', 'wrong'] as const
    const rows = Object.entries(found.values).filter(([, { size }]) => size !== undefined)
    const cells = rows.map(([size, values]) => [size, ...shown.map((name) => values[name]!.toFixed(3))])
    return `${table(['statements in one signature', ...shown], cells)}\n\n${source(found)}`
  },
  episodes: (figures) => {
    const found = measured(figures, 'neurosymbolic')
    const shown = ['statements', 'goal', 'beliefs', 'day'] as const
    const rows = Object.values(found.values).filter((values) => values['statements with it'] !== undefined)
    const cells = rows.map((values) => [
      String(values['statements with it']),
      ...shown.map((name) => values[name]?.toFixed(3) ?? ''),
    ])
    return `${table(['statements of the episode', ...shown], cells)}\n\n${source(found)}`
  },
  analogy: (figures) => {
    const found = measured(figures, 'neurosymbolic')
    const { questions, first } = found.values['analogy']!
    const right = `Of ${questions} questions about 50 relations the first answer is right for ${share(first)}`
    return `${right}; half of the questions change the wording of the relation.\n${source(found)}`
  },
  sizes: (figures) => sizesPart(measured(figures, 'sizes')),
  tabs: (figures) => {
    const tabs = measured(figures, 'tabs')
    const { tabs: open, owners, episodes, goals, p50, p95 } = tabs.values['all']!
    const acknowledged = `${count(episodes)} episodes and ${count(goals)} goals acknowledged, none lost, none doubled`
    const answer = `From the kill to a tab's next answer: p50 ${count(p50)} ms, p95 ${count(p95)} ms`
    return `${open} tabs, ${owners} owners killed: ${acknowledged}. ${answer}. ${source(tabs)}`
  },
}

/** What README shows of the table of sizes: the name of a row there, and here. */
const SIZES = [
  ['observe /s', 'observe, durable, a second'],
  ['open to answer ms', 'open again, to the first answer, ms'],
  ['recall p50 ms', 'recall of ten, p50, ms'],
  ['recall p95 ms', 'recall of ten, p95, ms'],
  ['WASM MB', 'WebAssembly memory, MB'],
] as const

function sizesPart(measured: Measured): string {
  const columns = Object.keys(measured.values)
  const rows = SIZES.map(([row, shown]) => [shown, ...columns.map((column) => amount(measured.values[column]![row]!))])
  return `${table(['', ...columns], rows)}\n\n${source(measured)}`
}

const KILLS = [
  '',
  'kills',
  'observations acknowledged',
  'lost',
  'altered or doubled',
  'removals acknowledged',
  'came back',
  'command',
]

function measured(figures: Figures, name: string): Measured {
  const found = figures[name]
  if (found === undefined) {
    throw new UsageError(`docs/figures.json has no ${name}: npm run figures -- record ${name} FILE`)
  }
  return found
}

function killsRow(name: string, { command, values }: Measured): string[] {
  const { kills, acknowledged, lost, altered, doubled, removed, returned } = values['all']!
  const counts = [kills, acknowledged, lost, altered! + doubled!, removed, returned]
  return [name, ...counts.map(count), `\`${command.replace('<number>', String(kills))}\``]
}

const BLOCK = /(<!-- figures ([\w-]+) -->\n)(?:[^]*?\n)??(<!-- end -->)/g

/** A page with all of its parts made anew. */
export function renderPage(page: string, figures: Figures): string {
  return page.replace(BLOCK, (_, start: string, name: string, end: string) => {
    const part = PARTS[name]
    if (part === undefined) throw new Error(`there is no part ${name}; known are ${Object.keys(PARTS).join(', ')}`)
    return `${start}${part(figures)}\n${end}`
  })
}

function modesPart(measured: Measured, columns: readonly string[]): string {
  const modes = Object.entries(measured.values)
  const rows = modes.map(([name, row]) => [name, ...columns.map((column) => share(row[column]))])
  return `${table(['', ...columns], rows)}\n\n${source(measured)}`
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}

function source(measured: Measured): string {
  return `\`${measured.command}\`, ${when(measured)}`
}

function when({ machine: { date, processor, cores } }: Measured): string {
  return `${date}, ${processor}, ${cores} cores.`
}
