import type { AttentionTrace } from '../api/recall.js'
import { momentOf } from './match.js'
import { printable, type Terminal } from './terminal.js'

/**
 * What a recall considered, for people: the time it was about, then a line for each candidate and why it is no match.
 */
export function traceLines({ time, scans = [], candidates }: AttentionTrace, { style }: Terminal): string[] {
  const head = `considered ${candidates.length === 1 ? '1 memory' : `${candidates.length} memories`}`
  const reach =
    time === undefined
      ? ''
      : `, asked about ${time.from === undefined ? '…' : momentOf(time.from)} to ` +
        `${time.to === undefined ? '…' : momentOf(time.to)}${time.only ? ' alone' : ''}`
  return [
    style('bold', head) + reach,
    ...scans.map(
      ({ signatures, dimensions, recall }) =>
        `asked ${signatures} signatures at their ${dimensions} heaviest dimensions, which found ` +
        `${Math.round(100 * recall)} % of the ten best`,
    ),
    ...candidates.map(({ id, score, confidence, retained, rejection, foldedInto }, i) => {
      const verdict = retained
        ? style('green', 'kept')
        : style('dim', `${rejection}${foldedInto === undefined ? '' : `, ${printable(foldedInto)}`}`)
      return (
        `${String(i + 1).padStart(4)}  ${score.toFixed(3).padStart(7)}  ${confidence.toFixed(2)}  ` +
        `${printable(id)}  ${verdict}`
      )
    }),
  ]
}
