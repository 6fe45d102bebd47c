import type { Match, Turn } from '../api/recall.js'
import { bar } from './bar.js'
import { printable, widthOf, wrap, type Style, type Terminal } from './terminal.js'

const INDENT = '      '
/** Lines of one text that are shown; `--json` shows all. */
const LINES = 12
const CONFIDENCE_WIDTH = 5
const SIGNAL_WIDTH = 16

/** How a match is shown. */
export interface MatchView {
  /** From 1. */
  readonly rank: number
  /** Show what each signal contributed. */
  readonly why?: boolean
  /** When it was, in the words of the one who shows it. Default: date and time in UTC. */
  readonly when?: string
}

/** A match for people: rank, confidence, tier, when and who on one line, then what was said. */
export function matchLines(match: Match, view: MatchView, terminal: Terminal): string[] {
  const { style } = terminal
  const confidence =
    `${style(colour(match.confidence), bar(match.confidence, CONFIDENCE_WIDTH).padEnd(CONFIDENCE_WIDTH, '·'))} ` +
    `${match.confidence.toFixed(2)}`
  const head = [
    style('bold', String(view.rank).padStart(4)),
    confidence,
    match.tier.padEnd('similarity'.length),
    view.when ?? momentOf(match.at),
    style('cyan', printable(match.speaker ?? '').replace(/\s+/g, ' ')),
  ]
    .join('  ')
    .trimEnd()
  const text = wrap(printable(match.text).trim(), terminal.columns - INDENT.length)
  const shown =
    text.length > LINES ? [...text.slice(0, LINES - 1), style('dim', `… ${text.length - LINES + 1} lines more`)] : text
  const place = [match.session && `session ${match.session}`, match.source && `source ${match.source}`]
    .filter(Boolean)
    .join(', ')
  const beside = (turns: readonly Turn[] = []) =>
    turns.flatMap((turn) =>
      wrap(
        printable(`${turn.speaker === undefined ? '' : `${turn.speaker}: `}${turn.text}`)
          .replace(/\s+/g, ' ')
          .trim(),
        terminal.columns - INDENT.length,
      ).map((line) => INDENT + style('dim', line)),
    )
  const more =
    match.folded.length === 0
      ? []
      : [INDENT + style('dim', match.folded.length === 1 ? '1 more like it' : `${match.folded.length} more like it`)]
  return [
    head,
    ...beside(match.context?.before),
    ...shown.map((line) => INDENT + line),
    ...beside(match.context?.after),
    ...more,
    ...(view.why ? [...signalLines(match, terminal), ...(place ? [INDENT + style('dim', printable(place))] : [])] : []),
  ]
}

/** A time in UTC, to the second. */
export function momentOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

function signalLines(match: Match, { style }: Terminal): string[] {
  const signals = Object.entries(match.signals)
    .filter(([, value]) => value !== 0)
    .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
  const most = Math.max(...signals.map(([, value]) => Math.abs(value)))
  const longest = Math.max(0, ...signals.map(([name]) => widthOf(name)))
  return signals.map(([name, value]) => {
    const share = bar(Math.abs(value) / most, SIGNAL_WIDTH).padEnd(SIGNAL_WIDTH)
    return (
      `${INDENT}${style('dim', name.padEnd(longest))}  ${style(value < 0 ? 'red' : 'green', share)} ` +
      `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
    )
  })
}

function colour(confidence: number): Style {
  return confidence >= 0.6 ? 'green' : confidence >= 0.3 ? 'yellow' : 'red'
}
