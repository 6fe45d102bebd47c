import type { BamsReport } from './report.js'

/** A report as Markdown: the score, a table of the regions, and a table of what explains them. */
export function toMarkdown(report: BamsReport): string {
  const { score, stimuli, comparison, seed, components, regions } = report
  const unreliable = regions.filter(({ reliable }) => !reliable).length
  const lines = [
    '# Brain alignment',
    '',
    score === undefined
      ? 'BAMS: none, since no region has subjects that agree.'
      : `BAMS: **${number(score)}**, the mean over ${regions.length - unreliable} of ${regions.length} regions of ` +
        'the similarity as a share of the upper noise ceiling.',
    '',
    `${stimuli} stimuli, compared by ${comparison}, seed ${seed}.`,
    '',
    '| region | subjects | similarity | 95 % interval | noise ceiling | share | p | p, corrected |',
    '|---|---|---|---|---|---|---|---|',
    ...regions.map(({ name, subjects, similarity, interval, ceiling, normalized, test, corrected }) =>
      row([
        text(name),
        String(subjects),
        number(similarity),
        `${number(interval.low)} to ${number(interval.high)}`,
        ceiling === undefined ? '' : `${number(ceiling.lower)} to ${number(ceiling.upper)}`,
        normalized === undefined ? '' : number(normalized),
        probability(test.p),
        probability(corrected),
      ]),
    ),
    '',
    'What explains each region: the share of its variance that only this component explains (p).',
    '',
    row(['region', ...components.map(text), 'shared', 'together']),
    `|${'---|'.repeat(components.length + 3)}`,
    ...regions.map(({ name, attribution }) =>
      row([
        text(name),
        ...attribution.components.map(({ unique, p }) => `${number(unique)} (${probability(p)})`),
        number(attribution.shared),
        number(attribution.total),
      ]),
    ),
    '',
  ]
  return lines.join('\n')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A name that is text in a cell, whatever is in it. */
function text(name: string): string {
  return name.replace(/\s+/g, ' ').replace(/[\\|`*_[\]<>&~]/g, '\\$&')
}

function number(value: number): string {
  // No minus before what is rounded to zero.
  return (Math.round(value * 1_000) / 1_000 + 0).toFixed(3)
}

function probability(p: number): string {
  return p < 0.0001 ? '< 0.0001' : p.toFixed(4)
}
