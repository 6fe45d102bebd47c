/** What the measuring commands print or write, read into the entries of docs/figures.json. */
import type { Machine } from '../../bench/machine.js'

/** One measurement: the command that printed it, where and when, and its values by name. */
export interface Measured {
  readonly command: string
  readonly machine: Pick<Machine, 'date' | 'processor' | 'cores' | 'node'>
  readonly values: Readonly<Record<string, Values>>
}

/** The values of one row: of a mode, of a test. */
export type Values = Readonly<Record<string, number>>

/** Reads the output of a command. */
export interface Recorder {
  /** As it is typed; what stands in angle brackets is for the reader to fill in. */
  readonly command: string
  read(output: string): Measured['values']
}

/** The columns of `bench:recall` that the pages show. */
const SHOWN = ['questions', 'R@5', 'R@10', 'R@20', 'hit@10', 'MRR', 'ECE'] as const
/** With the extractor that is the default in browser and Node. */
const AS_SHIPPED = '--extract rules --unanswerable'
/** The modes that the pages show: rankers, all with the graphs and the codebook that are the default. */
const SHOWN_MODES = ['agidb', 'agidb, ranker locomo', 'agidb, ranker fusion']
const APOLLO = '--transcript demo/data/apollo13.jsonl --questions bench/data/apollo13-questions.json'

export const RECORDERS: Readonly<Record<string, Recorder>> = {
  recall: { command: `npm run bench:recall -- --data <folder of LoCoMo> ${AS_SHIPPED} --json FILE`, read: modes },
  apollo: { command: `npm run bench:recall -- ${APOLLO} ${AS_SHIPPED} --json FILE`, read: modes },
  'kills-node': { command: 'npm run test:crash -- --runs <number>', read: kills },
  'kills-chromium': { command: 'npm run test:crash:browser -- --runs <number>', read: kills },
  tabs: { command: 'npm run test:tabs', read: tabs },
  neurosymbolic: { command: 'npm run bench:neurosymbolic -- --json FILE', read: rowsByName },
  // FILE is docs/performance.md: `bench/performance.ts` writes the table of this command there.
  sizes: {
    command:
      'npm run build && AGIDB_BUILT=1 npm run bench:speed -- --only sizes --sizes 10000,100000,1000000 --queries 200',
    read: sizes,
  },
}

/** The figures of each mode that `bench:recall --json` wrote. */
function modes(output: string): Measured['values'] {
  const { modes } = JSON.parse(output) as { modes: Record<string, { metrics: Values; doubt: Values }> }
  const shown = SHOWN_MODES.map((name) => {
    const { metrics, doubt } = modes[name]!
    const figures = SHOWN.map((column) => [column, metrics[column]] as const)
    return [name, Object.fromEntries([...figures, ['AUROC', doubt.AUROC]])] as const
  })
  return Object.fromEntries(shown)
}

/** The rows of all tables that a bench wrote, by their names. */
function rowsByName(output: string): Measured['values'] {
  const { tables } = JSON.parse(output) as { tables: { rows: { name: string; cells: Values }[] }[] }
  return Object.fromEntries(tables.flatMap(({ rows }) => rows.map(({ name, cells }) => [name, cells] as const)))
}

/** The counts of the line with which a test of kills ends. */
function kills(output: string): Measured['values'] {
  return {
    all: {
      kills: before(output, ' kills;'),
      acknowledged: before(output, ' observations acknowledged'),
      lost: before(output, ' lost,'),
      altered: before(output, ' altered,'),
      doubled: before(output, ' doubled;'),
      removed: before(output, ' removals acknowledged'),
      returned: before(output, ' came back'),
    },
  }
}

/** The counts and times of the line with which the test of tabs ends. */
function tabs(output: string): Measured['values'] {
  const line = output.split('\n').find((line) => line.includes("from the kill to a tab's next answer")) ?? ''
  const [, p50, p95] = /p50 (\d+) ms, p95 (\d+) ms/.exec(line) ?? []
  return {
    all: {
      tabs: before(line, ' tabs,'),
      owners: before(line, ' owners killed'),
      episodes: before(line, ' episodes and'),
      goals: before(line, ' goals acknowledged'),
      p50: Number(p50),
      p95: Number(p95),
    },
  }
}

/** The table of sizes on the page of performance: a row for each runtime and size. */
function sizes(page: string): Measured['values'] {
  const [, block] = /<!-- sizes -->\n([^]*?)<!-- end -->/.exec(page) ?? []
  if (block === undefined) throw new Error('the page has no table of sizes: docs/performance.md has one')
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [header, , ...rows] = block.trim().split('\n').map(cells)
  const columns = header!.slice(1).map((column, i) => {
    const figures = rows.map(([name, ...values]) => [name!, Number(values[i]!.replaceAll(',', ''))] as const)
    return [column, Object.fromEntries(figures.filter(([, value]) => !Number.isNaN(value)))] as const
  })
  return Object.fromEntries(columns)
}

/** The whole number that stands before the first occurrence of these words. */
function before(output: string, words: string): number {
  const [, digits] = new RegExp(`(\\d+)${words}`).exec(output) ?? []
  if (digits === undefined) throw new Error(`the output has no number before "${words}"`)
  return Number(digits)
}
