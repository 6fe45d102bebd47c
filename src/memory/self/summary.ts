import type { BeliefRevision } from '../../api/belief.js'
import type { LearningEvent, LearningKind } from '../../api/learning.js'
import { toIso } from '../../api/time.js'
import { EVENT_KINDS, LEARNING_KINDS } from '../../records/events/registry.js'
import { DIMENSION } from '../../kernel/port.js'
import type { Period } from '../history.js'

/** A cue in a summary, at most: characters. */
const QUOTED = 80

/** What was learned, in a sentence. */
export function learnedThat(period: Period, counts: Readonly<Partial<Record<LearningKind, number>>>): string {
  const kinds = LEARNING_KINDS.filter((kind) => counts[kind] !== undefined)
  const parts = kinds.map((kind) => {
    const [verb, one, several] = EVENT_KINDS[kind].wording
    return `${verb} ${number(counts[kind]!, one, several)}`
  })
  return `${when(period)} you ${parts.length === 0 ? 'learned nothing' : listed(parts)}.`
}

/** What recalls were traced. */
export function attended(period: Period, cues: readonly string[]): string {
  const last = cues.at(-1)
  if (last === undefined) return `${when(period)} you traced no recall.`
  const about = cues.length === 1 ? `: ${quoted(last)}` : `, the last of ${quoted(last)}`
  return `${when(period)} you traced ${number(cues.length, 'recall', 'recalls')}${about}.`
}

/** How beliefs changed. */
export function changed(
  period: Period,
  beliefs: readonly { readonly claim: string; readonly revisions: readonly BeliefRevision[] }[],
): string {
  const [first] = beliefs
  if (first === undefined) return `${when(period)} nothing changed your mind.`
  const withdrawn = beliefs.filter(({ revisions }) => revisions.some(({ kind }) => kind === 'withdrawn')).length
  if (beliefs.length === 1) {
    const { before, after } = { ...first.revisions[0], after: first.revisions.at(-1)!.after }
    const moved =
      withdrawn > 0 ? 'you withdrew it' : `your confidence went from ${rounded(before ?? after)} to ${rounded(after)}`
    return `${when(period)} you changed your mind on ${quoted(first.claim)}: ${moved}.`
  }
  const ending =
    withdrawn === 0
      ? ''
      : `, and withdrew ${withdrawn === beliefs.length ? 'them' : number(withdrawn, 'of them', 'of them')}`
  return `${when(period)} you changed your mind on ${beliefs.length} beliefs${ending}.`
}

/** How goals changed. */
export function moved(period: Period, events: readonly LearningEvent<'goalSet' | 'goalStateChanged'>[]): string {
  const goals = new Set(events.map(({ goal }) => goal)).size
  if (goals === 0) return `${when(period)} no goal moved.`
  const moves = new Map<string, number>()
  for (const event of events) {
    const move = event.kind === 'goalSet' ? 'set' : event.to.kind === 'active' ? 'resumed' : event.to.kind
    moves.set(move, (moves.get(move) ?? 0) + 1)
  }
  return (
    `${when(period)} ${number(goals, 'goal', 'goals')} moved: ` +
    `${listed([...moves].map(([move, count]) => `${count} ${move}`))}.`
  )
}

/** How far the self-vector went. */
export function drifted(period: Period, bits: number, epochs: number): string {
  if (epochs === 0) return `${when(period)} you did not drift: nothing was consolidated.`
  const share = ((100 * bits) / DIMENSION).toFixed(1)
  return (
    `${when(period)} you drifted by ${bits} of ${DIMENSION} bits (${share} %) in ` +
    `${number(epochs, 'epoch', 'epochs')}.`
  )
}

/** What the self-vector is most like. */
export function resembled(period: Period, statements: readonly string[]): string {
  const [first] = statements
  if (first === undefined) return `${when(period)} you are like nothing: nothing was consolidated.`
  return `${when(period)} you are most like ${quoted(first)}.`
}

function when({ since, until }: Period): string {
  if (since !== undefined && until !== undefined) return `From ${toIso(since)} to ${toIso(until)}`
  if (since !== undefined) return `Since ${toIso(since)}`
  return until === undefined ? 'So far' : `Before ${toIso(until)}`
}

function number(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

/** "a", "a and b", "a, b and c". */
function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function quoted(text: string): string {
  const characters = Array.from(text)
  return `“${characters.length > QUOTED ? `${characters.slice(0, QUOTED).join('')}…` : text}”`
}

function rounded(confidence: number): string {
  return confidence.toFixed(2)
}
