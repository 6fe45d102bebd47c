import type { Belief, BeliefId, BeliefOptions, BeliefRevision, FoundBelief } from '../../api/belief.js'
import { tripleOf } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import { checkId, checkKeys, checkNumber, checkText, checkWhole, invalid } from '../../api/check.js'
import type { Episode, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import type { BeliefMethods } from '../../api/methods/beliefs.js'
import type { RecalledBelief } from '../../api/recall.js'
import { toIso, toMillis } from '../../api/time.js'
import { conceptKey } from '../../encoding/concept.js'
import type { NewEvent } from '../../records/event-log.js'
import type { ConflictQuery, Side } from '../conflicts.js'
import type { MemoryContext } from '../context.js'
import type { IndexedItem, ItemIndex, ItemQuery } from '../item-index.js'
import { turn } from '../../base/event-loop-turn.js'
import type { Logged } from '../../records/event-log.js'
import {
  type ChangedEpisode,
  type IsGone,
  ofEvents,
  type Projection,
  type Rederived,
  type Service,
} from '../projection.js'
import type { rederive } from './rederive.js'
import { withoutEpisodes } from './without.js'
import { aliasesOf } from './aliases.js'
import { assertBelief } from './assert.js'
import type { AutomaticBeliefs } from './automatic.js'
import type { conflictingPairs } from './conflicts.js'
import type { follow } from './follow-evidence.js'
import { type Comparison, HeldBeliefs } from './held-beliefs.js'
import type { reviseBelief, reviseBeliefs } from './revise.js'
import { ledTo } from './second-hop.js'
import type { Held, Standing } from './standing.js'
import { withdrawBelief } from './withdraw.js'
import { greatest } from '../../base/extremes.js'

/** Beliefs of one answer, at most. */
const MAX_LISTED = 1_000

/** What works on beliefs now and then. It is large, so it is loaded when it is first needed. */
export interface BeliefParts {
  readonly forgetting: () => Promise<{ readonly rederiveBeliefs: typeof rederive }>
  readonly believing: () => Promise<
    Comparison & {
      readonly AutomaticBeliefs: typeof AutomaticBeliefs
      readonly conflictingPairs: typeof conflictingPairs
      readonly follow: typeof follow
      readonly reviseBelief: typeof reviseBelief
      readonly reviseBeliefs: typeof reviseBeliefs
    }
  >
}

/** What the agent holds to be true (floor 6). */
export class Beliefs implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  readonly #held: HeldBeliefs
  readonly #parts: BeliefParts
  readonly #itemIndex: ItemIndex
  /** The reorderings of the table when the index had its order. */
  #ordered = 0

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if `sourceTrust` or `decideRevision` are not what they must be. */
  constructor(context: MemoryContext, parts: BeliefParts) {
    const { decideRevision } = context.options
    this.#context = context
    this.#parts = parts
    this.#held = new HeldBeliefs(context, parts.believing, async (beliefs) => {
      const { AutomaticBeliefs } = await parts.believing()
      return new AutomaticBeliefs(beliefs)
    })
    if (decideRevision !== undefined && typeof decideRevision !== 'function') {
      throw invalid(
        'decideRevision must be a function that takes a belief and an episode, and answers { verdict, reason }',
        { option: 'decideRevision' },
      )
    }
    this.#itemIndex = context.itemIndex((id) => this.#describe(id))
    context.indexes.catalog.watch((episode) => {
      for (const id of this.#held.table.episodeChanged(episode)) this.#itemIndex.touch(id)
    })
  }

  apply(event: LearningEvent, slot: number): void {
    const changed = this.#held.table.apply(event, slot)
    if (changed !== undefined) this.#itemIndex.touch(changed)
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) {
      const changed = this.#held.table.retract(event)
      if (changed !== undefined) this.#itemIndex.touch(changed)
      else if (event.kind === 'beliefAsserted') this.#itemIndex.forget(event.belief)
    }
  }

  /** See `Service.rederive`: revisions that would have come, and those that would not. */
  async rederive(changed: readonly ChangedEpisode[]): Promise<Rederived> {
    if (this.#held.table.hasNone && !this.#held.believes) return { gone: [], made: [] }
    const { rederiveBeliefs } = await this.#parts.forgetting()
    return rederiveBeliefs(this.#held, changed, turn)
  }

  /** The events of beliefs without some episodes, for good; see `Service.without`. */
  without(_: readonly Logged[], isGone: IsGone): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    return withoutEpisodes(this.#held, isGone)
  }

  /** How the events of beliefs are told where some of their episodes are not there; see `Service.told`. */
  told(): ReadonlyMap<LearningEvent, LearningEvent | undefined> {
    return this.#held.table.told()
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return this.#held.bytes + this.#itemIndex.bytes
  }

  free(): void {
    this.#itemIndex.free()
  }

  /** Beliefs that are held. */
  get size(): number {
    return this.#held.table.size
  }

  /** The public methods of beliefs on behalf of a caller. */
  methods(caller: Caller): BeliefMethods {
    return {
      assertBelief: (belief) => assertBelief(this.#held, belief, caller),
      reviseBelief: async (id, evidenceId) => {
        const { reviseBelief } = await this.#parts.believing()
        return reviseBelief(this.#held, id, evidenceId, caller)
      },
      reviseBeliefs: async (episodeId) => {
        const { reviseBeliefs } = await this.#parts.believing()
        return reviseBeliefs(this.#held, episodeId, caller)
      },
      whatDoIBelieve: (about, options) => this.about(about, options),
      beliefHistory: (id) => this.history(id),
      withdrawBelief: (id, reason) => withdrawBelief(this.#held, id, reason, caller),
      getBelief: (id) => this.get(id),
    }
  }

  /** What new episodes do to the beliefs on which they bear; `undefined` where they cannot do anything. */
  follow(episodes: readonly Episode[], now: number): Promise<NewEvent[]> | undefined {
    const mayBelieve = this.#held.believes && episodes.some(({ triples }) => triples.length > 0)
    return this.#held.table.isEmpty && !mayBelieve ? undefined : this.#follow(episodes, now)
  }

  async #follow(episodes: readonly Episode[], now: number): Promise<NewEvent[]> {
    const { follow } = await this.#parts.believing()
    return follow(this.#held, episodes, now)
  }

  async about(about: string, options: BeliefOptions = {}): Promise<FoundBelief[]> {
    const { limits, clock } = this.#context
    checkText('about', about, limits, 'cueBytes')
    checkKeys('whatDoIBelieve', options, ['validAsOf', 'transactionAsOf', 'k', 'minConfidence'])
    const { k = 10, minConfidence = 0 } = options
    checkWhole('k', k, 1, MAX_LISTED)
    checkNumber('minConfidence', minConfidence, 0, 1)
    const now = clock()
    const validAsOf = options.validAsOf === undefined ? undefined : toMillis(options.validAsOf, 'validAsOf')
    const transactionAsOf =
      options.transactionAsOf === undefined ? undefined : toMillis(options.transactionAsOf, 'transactionAsOf')
    const times = { now, valid: validAsOf ?? now, known: transactionAsOf }

    const aliases = await aliasesOf(this.#context, about, this.#held.aliases(times), {
      now,
      validAsOf,
      transactionAsOf,
    })
    const seen = new Set<BeliefId>()
    type Found = Omit<FoundBelief, 'conflictsWith'>
    const answers = (foundBy: FoundBelief['foundBy'], items: readonly Held[]): Found[] =>
      items.flatMap((held) => {
        const belief = this.#held.table.holds(held, times)
        if (belief === undefined || belief.confidence < minConfidence || seen.has(held.id)) return []
        seen.add(held.id)
        return { ...belief, foundBy }
      })
    const surest = (found: Found[]) =>
      found.sort((a, b) => b.confidence - a.confidence || this.#held.find(a.id).place - this.#held.find(b.id).place)
    const named = [
      ...surest(answers('concept', this.#held.table.about(about))),
      ...surest(
        answers(
          'alias',
          aliases.flatMap((alias) => this.#held.table.about(alias)),
        ),
      ),
    ]
    const whole = (found: readonly Found[]) =>
      Promise.all(found.map((belief) => this.#held.whole(belief, transactionAsOf)))
    if (named.length >= k) return whole(named.slice(0, k))
    // Enough that some may be left out: what was found already, and what is too unsure.
    const enough = minConfidence > 0 ? MAX_LISTED : Math.min(MAX_LISTED, 2 * k + named.length)
    const similar = await this.#found(about, { k: enough, now, validAsOf: times.valid, transactionAsOf })
    const like = answers(
      'similarity',
      similar.flatMap(({ id, bears }) => (bears ? (this.#held.table.find(id) ?? []) : [])),
    )
    return whole([...named, ...surest(like.slice(0, k - named.length))])
  }

  async history(id: BeliefId): Promise<BeliefRevision[]> {
    checkId('id', id, this.#context.limits)
    const held = this.#held.find(id)
    const { evidence = [], contradictions = [] } = this.#held.table.stands(held, { now: this.#context.clock() }) ?? {}
    const counts = new Set([...evidence, ...contradictions])
    return held.log.map(({ revision, counted: [counted] }) => {
      if (revision.kind !== 'revised' || counted === undefined || counts.has(counted.episode)) return { ...revision }
      return { ...revision, discounted: 'superseded' }
    })
  }

  async get(id: BeliefId): Promise<Belief | undefined> {
    checkId('id', id, this.#context.limits)
    const held = this.#held.table.find(id)
    return held && this.#held.whole(this.#held.stands(held))
  }

  /** The beliefs that bear on a cue, best first. */
  async bearingOn(cue: string, asking: ItemQuery): Promise<RecalledBelief[]> {
    const { k, now, validAsOf = now, transactionAsOf } = asking
    const found = await this.#found(cue, { ...asking, k: 2 * k, validAsOf })
    const times = { now, valid: validAsOf, known: transactionAsOf }
    const bearing = found
      .filter(({ bears }) => bears)
      .flatMap(({ id, relevance }) => {
        const held = this.#held.table.find(id)
        const belief = held && this.#held.table.holds(held, times)
        return belief === undefined ? [] : { ...belief, relevance }
      })
    const direct = bearing.slice(0, k)
    const all = [...direct, ...(direct.length < k ? this.#led(cue, direct, times).slice(0, k - direct.length) : [])]
    return Promise.all(all.map((belief) => this.#held.whole(belief, transactionAsOf)))
  }

  /** The keys of a concept and its other names, by what is said and believed of a time. */
  async names(concept: string, at: number): Promise<string[]> {
    const now = this.#context.clock()
    const believed = this.#held.aliases({ now, valid: at })
    return [conceptKey(concept), ...(await aliasesOf(this.#context, concept, believed, { now, validAsOf: at }))]
  }

  /** Pairs of beliefs that are both held to be true of a time and cannot be. */
  async conflicts({ about, at, limit }: ConflictQuery): Promise<[Side, Side][]> {
    const { table } = this.#held
    if (table.isEmpty) return []
    const { conflictingPairs } = await this.#parts.believing()
    const among = about === undefined ? table.all() : about.flatMap((name) => table.about(name))
    const pairs = await conflictingPairs(
      among,
      table,
      await this.#held.bearing(),
      { now: this.#context.clock(), valid: at },
      limit,
    )
    return pairs.map(([one, other]) => [sideOf(one), sideOf(other)])
  }

  /** The newest beliefs that are held, oldest first: what is to be expected. */
  recent(most: number): Standing[] {
    const now = this.#context.clock()
    const found: Standing[] = []
    for (const held of this.#held.table.all().reverse()) {
      if (found.length >= most) break
      const belief = this.#held.table.holds(held, { now, valid: now })
      if (belief !== undefined) found.push(belief)
    }
    return found.reverse()
  }

  /** The beliefs that are held now and name one of some names, the surest first. */
  async named(names: readonly string[]): Promise<Belief[]> {
    const now = this.#context.clock()
    const found = new Map<BeliefId, Standing>()
    for (const held of names.flatMap((name) => this.#held.table.about(name))) {
      const belief = this.#held.table.holds(held, { now, valid: now })
      if (belief !== undefined) found.set(belief.id, belief)
    }
    const surest = [...found.values()].sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    return Promise.all(surest.map((belief) => this.#held.whole(belief)))
  }

  /** The statements of the beliefs that are held now, and of those that were withdrawn. */
  believed(): Triple[] {
    const now = this.#context.clock()
    return this.#held.table.all().flatMap((held) => {
      return this.#held.table.stands(held, { now }) === undefined ? [] : (tripleOf(held.asserted) ?? [])
    })
  }

  /** How likely what a source says is right. */
  trustOf(source: string | undefined): number {
    return this.#held.trust(source)
  }

  /** What is believed about other names now. */
  aliases(): Triple[] {
    const now = this.#context.clock()
    return this.#held.aliases({ now, valid: now })
  }

  /** The place of a belief in the order of beliefs; `undefined` where there is no such belief. */
  placeOf(id: BeliefId): number | undefined {
    return this.#held.table.find(id)?.place
  }

  /** What a belief claims; `undefined` where there is none. */
  claim(id: BeliefId): { readonly text: string; readonly triple?: Triple } | undefined {
    const held = this.#held.table.find(id)
    const triple = held && tripleOf(held.asserted)
    return held && { text: held.asserted.claim, ...(triple && { triple }) }
  }

  /** The beliefs that are held at a time and to which a cue leads by way of some that bear on it. */
  #led(
    cue: string,
    direct: readonly { readonly id: BeliefId; readonly relevance: number }[],
    times: Parameters<HeldBeliefs['table']['holds']>[1],
  ): (Standing & Pick<RecalledBelief, 'relevance' | 'through'>)[] {
    const { table } = this.#held
    const bearing = direct.map(({ id, relevance }) => ({ held: table.find(id)!, relevance }))
    return ledTo(cue, bearing, (name) => table.about(name)).flatMap(({ held, relevance, through }) => {
      const belief = table.holds(held, times)
      return belief === undefined ? [] : { ...belief, relevance, through }
    })
  }

  #found(cue: string, asking: ItemQuery): ReturnType<ItemIndex['find']> {
    const { reorderings } = this.#held.table
    // Ties are broken by the order of assertions, in which a belief may have come before others.
    if (this.#ordered !== reorderings) this.#itemIndex.retain(this.#held.table.all().map(({ id }) => id))
    this.#ordered = reorderings
    return this.#itemIndex.find(cue, asking)
  }

  /** A belief as something to be found. Withdrawn it was never true, as far as is known from then on. */
  #describe(id: BeliefId): IndexedItem | undefined {
    const held = this.#held.table.find(id)
    if (held === undefined) return undefined
    const { claim, validFrom, validTo, recordedAt, withdrawn, ...belief } = this.#held.stands(held)
    const triple = tripleOf(belief)
    const over = validTo !== undefined ? { at: validTo, recordedAt: this.#endKnownAt(held) } : undefined
    const ended = withdrawn !== undefined ? { at: validFrom, recordedAt: withdrawn.at } : over
    return { id, text: claim, ...(triple && { triples: [triple] }), at: validFrom, recordedAt, ...(ended && { ended }) }
  }

  /**
   * Since when it is known how a belief ends: since it was asserted, or since the last of its evidence was superseded.
   */
  #endKnownAt({ asserted, log }: Held): string {
    const known = log.flatMap((entry) =>
      entry.counted.flatMap(({ episode, verdict }) => {
        const knownAt = verdict === 'supports' ? this.#held.table.fate(episode, entry)?.knownAt : undefined
        return knownAt !== undefined && knownAt < Infinity ? [knownAt] : []
      }),
    )
    return asserted.validTo !== undefined || known.length === 0 ? asserted.at : toIso(greatest(known))
  }
}

function sideOf({ id, claim, predicate, confidence, validFrom, validTo }: Standing): Side {
  return { id, statement: claim, predicate, confidence, validFrom, ...(validTo !== undefined && { validTo }) }
}
