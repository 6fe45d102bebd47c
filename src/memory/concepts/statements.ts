import type { ConceptStatement, StatementEnd } from '../../api/concept.js'
import type { Episode, Triple } from '../../api/episode.js'
import type { Ordered } from '../../encoding/ontology.js'
import { exclude } from '../../encoding/relation.js'
import type { Indexes } from '../../indexes/indexes.js'

/** One episode that states something. */
interface Saying {
  readonly triple: Triple
  readonly episode: Episode
  readonly slot: number
  /** From when it is true, epoch milliseconds. */
  readonly at: number
  /** Whether the episode is true now, as far as it is known. */
  readonly isNow: boolean
  /** Whether its subject is the object of the statement, and the other way round. */
  readonly isTurned: boolean
}

/** A statement: all episodes that say the same, in the order of the time from which they are true. */
export interface Statement {
  /** Subject and object by the roots of their concepts. */
  readonly meant: Ordered<string>
  readonly said: readonly Saying[]
  /** Present where it is not true now. */
  readonly end?: StatementEnd
}

/** Groups what episodes state by what it says, and tells what of it is true now. */
export class Statements {
  readonly #indexes: Indexes
  readonly #now: number
  readonly #groups = new Map<string, { readonly meant: Ordered<string>; readonly said: Saying[] }>()

  /** @param now of which time it is asked what is true, epoch milliseconds. */
  constructor(indexes: Indexes, now: number) {
    this.#indexes = indexes
    this.#now = now
  }

  /** Takes the statements of an episode in that pass. */
  add(slot: number, episode: Episode, passes: (subject: string, object: string) => boolean = () => true): void {
    const { conceptNames, ontology, catalog } = this.#indexes
    for (const triple of episode.triples) {
      const [subject, object] = [conceptNames.rootOf(triple.subject), conceptNames.rootOf(triple.object)]
      if (!passes(subject, object)) continue
      const meant = ontology.ordered(subject, triple.predicate, object, byText)
      const key = JSON.stringify([meant.subject, meant.says, meant.object, meant.holds ?? null])
      const group = this.#groups.get(key) ?? { meant, said: [] }
      this.#groups.set(key, group)
      if (group.said.some((saying) => saying.slot === slot)) continue
      const at = Date.parse(episode.at)
      group.said.push({
        at,
        triple,
        episode,
        slot,
        isTurned: meant.isTurned,
        isNow: catalog.visible(slot, { now: this.#now }),
      })
    }
  }

  /** All statements, in the order in which the newest episode of each became true. */
  all(): Statement[] {
    const groups = [...this.#groups.values()].map(({ meant, said }): Statement => {
      const sorted = said.sort((a, b) => compareSayings(a, b))
      return { meant, said: sorted, ...ended(sorted, this.#now) }
    })
    groups.sort((a, b) => compareSayings(newestOf(a), newestOf(b)))
    return this.#replaced(groups)
  }

  /** The statements with what newer ones replace and deny. */
  #replaced(groups: readonly Statement[]): Statement[] {
    /** The newer statements of both ends of a relation, and those of which one may stand in a place. */
    const byEnds = new Map<string, Statement[]>()
    const alone = new Map<string, Statement[]>()
    const answered: Statement[] = []
    // The newest first, so that a statement meets those that may replace it.
    for (const group of [...groups].reverse()) {
      const places = group.end === undefined ? placesOf(group) : []
      const end = places.flatMap((place) => [
        ...(byEnds.get(place.ends) ?? []).flatMap((newer) => denial(newer, group) ?? []),
        ...(alone.get(place.key) ?? []).flatMap((newer) => replacement(newer, group, place.about) ?? []),
      ])[0]
      answered.push(end === undefined ? group : { ...group, end })
      if (end !== undefined) continue
      for (const { key, ends } of places) {
        append(byEnds, ends, group)
        if (group.meant.isOneAtATime && group.meant.holds === true) append(alone, key, group)
      }
    }
    return answered.reverse()
  }
}

/** A statement as it is answered: in the words of the newest episode. */
export function toConceptStatement({ said, end }: Statement): ConceptStatement {
  const { subject, predicate, object } = said[said.length - 1].triple
  return {
    subject,
    predicate,
    object,
    episodes: said.map(({ episode: { id } }) => id),
    from: said[0].episode.at,
    ...(end !== undefined && { end }),
  }
}

/** The newest episode of a statement; where some are true now, of these. */
export function newestOf({ said }: Pick<Statement, 'said'>): Saying {
  return said.findLast(({ isNow }) => isNow) ?? said[said.length - 1]
}

/** A place that a statement takes: a relation of a concept. A relation that holds in both orders takes two. */
interface Place {
  readonly key: string
  /** The root of the concept. */
  readonly about: string
  /** The place and what stands there. */
  readonly ends: string
}

function placesOf({ meant: { subject, relation, object, holds, isSymmetric } }: Statement): Place[] {
  if (holds === undefined) return []
  const place = (about: string, what: string): Place => {
    return { key: JSON.stringify([about, relation]), about, ends: JSON.stringify([about, relation, what]) }
  }
  return isSymmetric ? [place(subject, object), place(object, subject)] : [place(subject, object)]
}

/** How a newer statement of the same ends ends an older one: where one says what the other denies. */
function denial(newer: Statement, older: Statement): StatementEnd | undefined {
  return newer.meant.holds === older.meant.holds ? undefined : { why: 'denied', by: newestOf(newer).episode.id }
}

/** How a newer statement of a relation with one object at a time ends an older one that states another. */
function replacement(newer: Statement, older: Statement, about: string): StatementEnd | undefined {
  if (older.meant.holds !== true || !exclude(wordsOf(newer, about), wordsOf(older, about))) return undefined
  return { why: 'replaced', by: newestOf(newer).episode.id }
}

function append(lists: Map<string, Statement[]>, key: string, statement: Statement): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [statement])
  else list.push(statement)
}

/** What stands at the other end of a statement, as its newest episode writes it. */
function wordsOf(statement: Statement, about: string): string {
  const { triple, isTurned } = newestOf(statement)
  const isSubject = statement.meant.subject === about
  return isSubject === isTurned ? triple.subject : triple.object
}

/** Why a statement of which no episode is true now is not. */
function ended(said: readonly Saying[], now: number): { readonly end?: StatementEnd } {
  if (said.some(({ isNow }) => isNow)) return {}
  const { superseded } = said.findLast(({ episode }) => episode.superseded !== undefined)?.episode ?? {}
  return superseded !== undefined && Date.parse(superseded.at) <= now
    ? { end: { why: 'superseded', by: superseded.by } }
    : { end: { why: 'ended' } }
}

function compareSayings(a: Saying, b: Saying): number {
  return a.at - b.at || a.slot - b.slot
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
