import { isSense, type Sense } from '../../api/encoder.js'
import type { Episode } from '../../api/episode.js'
import type { Filter } from '../../api/filter.js'

/** The kinds of memories that one can look at alone, and what they are called. */
export const KINDS = {
  said: 'Said or noted',
  document: 'Part of a document',
  perceived: 'With a picture or sound',
  edited: 'Edited',
  replaced: 'Replaced',
  expiring: 'Kept for a while',
} as const

/** A kind of memories. */
export type MemoryKind = keyof typeof KINDS

/** What is looked for. An empty string asks for nothing. */
export interface MemoryQuery {
  readonly cue: string
  readonly speaker: string
  readonly source: string
  /** The first and the last day, `2026-05-01`, in the time zone of the reader. */
  readonly from: string
  readonly to: string
  readonly kind: MemoryKind | ''
}

export const NOTHING_ASKED: MemoryQuery = { cue: '', speaker: '', source: '', from: '', to: '', kind: '' }

/** The filter of a query; `undefined` where all memories are meant. The kind is no part of it: see {@link isOfKind}. */
export function filterOf({ speaker, source, from, to }: MemoryQuery): Filter | undefined {
  const at = { ...(from !== '' && { from: dayOf(from) }), ...(to !== '' && { to: dayOf(to, 1) }) }
  const filter = {
    ...(speaker !== '' && { speaker }),
    ...(source !== '' && { source }),
    ...(Object.keys(at).length > 0 && { at }),
  }
  return Object.keys(filter).length === 0 ? undefined : filter
}

/** The beginning of a day, or of one so many days later, in the time zone of the reader. */
function dayOf(date: string, later = 0): Date {
  const [year, month, day] = date.split('-').map(Number)
  const start = new Date(year, month - 1, day + later)
  start.setFullYear(start.getFullYear() + (year < 100 ? year - start.getFullYear() : 0))
  return start
}

/** Whether an episode is of a kind. */
export function isOfKind(episode: Episode, kind: MemoryKind | ''): boolean {
  switch (kind) {
    case '':
      return true
    case 'said':
      return episode.entry === undefined
    case 'document':
      return episode.entry !== undefined
    case 'perceived':
      return (episode.senses?.length ?? 0) > 0
    case 'edited':
      return episode.updatedAt !== undefined
    case 'replaced':
      return episode.superseded !== undefined
    case 'expiring':
      return episode.expiresAt !== undefined || episode.validTo !== undefined
  }
}

/** A memory as a row of the list shows it: without what only its record needs, so that many can be held. */
export interface Row {
  readonly id: string
  /** The beginning of its text. */
  readonly text: string
  readonly speaker?: string
  readonly source?: string
  readonly at: string
  /** What sets it apart: `replaced`, `edited`, `document`, `picture`, `sound`, `video`. */
  readonly marks: readonly string[]
  /** Of a match. */
  readonly confidence?: number
  readonly tier?: string
}

/** Characters of a text that a row holds. */
const LONGEST = 400
const SENSE_MARKS: Readonly<Record<Sense, string>> = { image: 'picture', audio: 'sound', video: 'video' }

type Shown = Pick<Episode, 'id' | 'text' | 'speaker' | 'source' | 'at' | 'senses'> &
  Partial<Pick<Episode, 'superseded' | 'updatedAt'>> & { readonly entry?: object }

/** The row of an episode or a match. */
export function rowOf({ id, text, speaker, source, at, senses = [], superseded, updatedAt, entry }: Shown): Row {
  const marks = [
    ...(superseded === undefined ? [] : ['replaced']),
    ...(updatedAt === undefined ? [] : ['edited']),
    ...(entry === undefined ? [] : ['document']),
    ...senses.map((sense) => (isSense(sense) ? SENSE_MARKS[sense] : sense)),
  ]
  return { id, text: text.slice(0, LONGEST), speaker, source, at, marks }
}
