import { tripleOf, type BeliefId, type BeliefRevision } from '../../api/belief.js'
import type { EpisodeId } from '../../api/episode.js'
import type { BeliefTable } from './projection.js'
import { posterior } from './bayes.js'
import type { NewEvent } from '../../records/event-log.js'
import type { Held, Standing } from './standing.js'
import { said } from '../../encoding/predicate.js'
import { objectKey, relationOf } from '../../encoding/relation.js'
import { tokens } from '../../encoding/tokens.js'
import { toIso } from '../../api/time.js'
import type { RelevantItems } from '../relevant-items.js'
import { type Compared, quoted } from './verdict.js'

/** A checked assertion. */
export interface Assertion extends Compared {
  /** Absent where the caller gives none. */
  readonly confidence?: number
  readonly evidence: readonly EpisodeId[]
}

/** What is known of the evidence of an assertion. */
export interface Grounds {
  /** In the order of the evidence. */
  readonly trust: readonly number[]
  /** What of it had ended already. */
  readonly superseded: readonly EpisodeId[]
}

/**
 * The belief that an assertion makes again, and what it adds to its log: `undefined` where none that is held says the
 * same of a time that includes that of the assertion.
 */
export async function again(
  table: BeliefTable,
  bearing: RelevantItems,
  given: Assertion,
  grounds: Grounds,
  now: number,
): Promise<{ readonly id: BeliefId; readonly events: readonly NewEvent[] } | undefined> {
  for (const held of await bearing.beside(given, now)) {
    const belief = table.stands(held, { now })
    if (belief === undefined || belief.withdrawn !== undefined) continue
    const includes = Date.parse(belief.validFrom) <= Date.parse(given.validFrom) && belief.validTo === given.validTo
    if (includes && saysTheSame(belief, given))
      return { id: held.id, events: repeated(table, held, belief, given, grounds, now) }
  }
  return undefined
}

/** Whether two claims are one but for spelling, inflection of the predicate and its synonyms. */
function saysTheSame(a: Compared, b: Compared): boolean {
  const [ours, theirs] = [tripleOf(a), tripleOf(b)]
  if (ours === undefined || theirs === undefined) {
    const [one, other] = [ours === undefined ? a.claim : quoted(ours), theirs === undefined ? b.claim : quoted(theirs)]
    return tokens(one).join(' ') === tokens(other).join(' ')
  }
  if (objectKey(ours.subject) !== objectKey(theirs.subject) || objectKey(ours.object) !== objectKey(theirs.object))
    return false
  const [one, other] = [said(ours.predicate), said(theirs.predicate)]
  if (one.stems === other.stems) return one.negated === other.negated
  const [mine, its] = [relationOf(ours.predicate), relationOf(theirs.predicate)]
  return mine.isExact && its.isExact && mine.name === its.name && mine.holds === its.holds
}

/**
 * New evidence supports the belief; a confidence that is given raises it, or without new evidence takes the place of
 * its own.
 */
function repeated(
  table: BeliefTable,
  held: Held,
  belief: Standing,
  given: Assertion,
  { trust, superseded }: Grounds,
  now: number,
): NewEvent[] {
  const isCounted = (episode: EpisodeId) =>
    held.log.some(
      (entry) =>
        entry.counted.some((counted) => counted.episode === episode) && table.fate(episode, entry) !== undefined,
    )
  const events: NewEvent[] = []
  let { confidence } = belief
  const add = (revision: Omit<BeliefRevision, 'revision' | 'at' | 'before'>, ended: boolean) => {
    const entry = { revision: held.log.length + events.length, at: toIso(now), before: confidence, ...revision }
    const { evidence } = entry
    events.push({
      kind: 'beliefRevised',
      belief: held.id,
      revision: entry,
      ...(ended && evidence !== undefined && { superseded: [evidence] }),
    })
    confidence = entry.after
  }
  for (const [i, episode] of given.evidence.entries()) {
    if (isCounted(episode)) continue
    const after = posterior(confidence, 'supports', trust[i])
    const reason = 'the claim was asserted again on its evidence'
    add(
      { kind: 'revised', after, evidence: episode, verdict: 'supports', reason, trust: trust[i] },
      superseded.includes(episode),
    )
  }
  const wanted = given.confidence ?? confidence
  const differs = events.length > 0 ? wanted > confidence : wanted !== confidence
  if (differs) add({ kind: 'asserted', after: wanted, reason: 'asserted again' }, false)
  return events
}
