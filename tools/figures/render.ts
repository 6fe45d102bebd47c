/** The parts of the pages that show figures, made of docs/figures.json. */
import type { Measured, Values } from './record.js'

export type Figures = Readonly<Record<string, Measured>>

const share = (value: number | undefined) => (value === undefined ? '' : value.toFixed(3).replace(/^0/, ''))
const count = (value: number | undefined) => (value ?? 0).toLocaleString('en')

/** Each part by its name, as it stands between `<!-- figures NAME -->` and `<!-- end -->`. */
export const PARTS: Readonly<Record<string, (figures: Figures) => string>> = {
  recall: ({ recall }) => `${modesTable(recall, ['R@5', 'R@10', 'R@20', 'MRR', 'ECE', 'AUROC'])}\n\n${source(recall)}`,
  apollo: ({ apollo }) => `${modesTable(apollo, ['hit@10', 'MRR', 'ECE', 'AUROC'])}\n\n${source(apollo)}`,
  kills: (figures) => {
    const rows = [['Node', figures['kills-node']], ['Chromium', figures['kills-chromium']]] as const
    return `${table(KILLS, rows.map(([name, measured]) => killsRow(name, measured)))}\n\n${when(figures['kills-node'])}`
  },
  tabs: ({ tabs }) => {
    const { tabs: open, owners, episodes, goals, p50, p95 } = tabs.values['all']!
    return `${open} tabs, ${owners} owners killed: ${count(episodes)} episodes and ${count(goals)} goals acknowledged, none lost, `
      + `none doubled. From the kill to a tab's next answer: p50 ${count(p50)} ms, p95 ${count(p95)} ms. ${source(tabs)}`
  },
}

const KILLS = ['', 'kills', 'observations acknowledged', 'lost', 'altered or doubled', 'removals acknowledged', 'came back', 'command']

function killsRow(name: string, { command, values }: Measured): string[] {
  const { kills, acknowledged, lost, altered, doubled, removed, returned } = values['all']!
  const counts = [kills, acknowledged, lost, altered! + doubled!, removed, returned]
  return [name, ...counts.map(count), `\`${command.replace('<number>', String(kills))}\``]
}

const BLOCK = /(<!-- figures ([\w-]+) -->\n)[^]*?(\n<!-- end -->)/g

/** A page with all of its parts made anew. */
export function renderPage(page: string, figures: Figures): string {
  return page.replace(BLOCK, (_, start: string, name: string, end: string) => {
    const part = PARTS[name]
    if (part === undefined) throw new Error(`there is no part ${name}; known are ${Object.keys(PARTS).join(', ')}`)
    return `${start}${part(figures)}${end}`
  })
}

function modesTable({ values }: Measured, columns: readonly string[]): string {
  const rows = Object.entries(values).map(([name, row]: [string, Values]) => [name, ...columns.map((column) => share(row[column]))])
  return table(['', ...columns], rows)
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
