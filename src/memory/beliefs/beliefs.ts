import type { BeliefMethods } from '../../api/methods/beliefs.js'
import type {
  Belief,
  BeliefChange,
  BeliefId,
  BeliefOptions,
  BeliefRevision,
  FoundBelief,
  NewBelief,
  RevisionDecision,
  RevisionReport,
} from '../../api/belief.js'
import { tripleOf } from '../../api/belief.js'
import type { Caller } from '../../api/caller.js'
import {
  checkChoice,
  checkId,
  checkKeys,
  checkName,
  checkNumber,
  checkText,
  checkWhole,
  invalid,
} from '../../api/check.js'
import type { Episode, EpisodeId, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { AgidbError, toWire } from '../../base/errors.js'
import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import type { RecalledBelief } from '../../api/recall.js'
import { expectAfter, toIso, toMillis } from '../../api/time.js'
import { BeliefTable } from './projection.js'
import { type Entry, type Held, type Standing } from './standing.js'
import type { NewEvent } from '../../records/event-log.js'
import { liveSlot } from '../../write/writer.js'
import { aliasesOf, isAlias } from './aliases.js'
import { again, type Assertion } from './assertion.js'
import { RelevantItems } from '../relevant-items.js'
import { conflicts } from './conflicts.js'
import { checkEvidence, expectEvidence } from '../evidence.js'
import { follow, UNCLEAR } from './follow-evidence.js'
import { Relations } from '../relations.js'
import type { MemoryContext } from '../context.js'
import { ofEvents, type Projection, type Service } from '../projection.js'
import type { ItemQuery, ItemIndex, IndexedItem } from '../item-index.js'
import { type Drafted, flag, reportOf, revise } from './revisions.js'
import { checkTrust, type SourceTrust } from './source-trust.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'

const PARTS = ['subject', 'predicate', 'object'] as const
const KEYS = ['claim', ...PARTS, 'confidence', 'evidence', 'validFrom', 'validTo', 'session', 'source']
/** Beliefs of one answer, at most. */
const MAX_LISTED = 1_000

/** What the agent holds to be true (floor 6). */
export class Beliefs implements Projection, Service {
  readonly projections = [ofEvents(this)]
  readonly #context: MemoryContext
  readonly #table: BeliefTable
  readonly #itemIndex: ItemIndex
  readonly #trust: SourceTrust
  readonly #bearing: RelevantItems
  /** The beliefs that give a concept another name, in order. */
  #naming: { readonly id: BeliefId; readonly triple: Triple }[] = []

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if `sourceTrust` or `decideRevision` are not what they must be. */
  constructor(context: MemoryContext) {
    const { sourceTrust, decideRevision } = context.options
    this.#trust = checkTrust(sourceTrust)
    if (decideRevision !== undefined && typeof decideRevision !== 'function') {
      throw invalid(
        'decideRevision must be a function that takes a belief and an episode, and answers { verdict, reason }',
        { option: 'decideRevision' },
      )
    }
    this.#context = context
    const { catalog } = context.indexes
    this.#table = new BeliefTable((episode, before, known) => {
      const slot = catalog.slot(episode)
      if (slot === undefined || slot >= before) return undefined
      return { endsAt: catalog.validTo(slot, known), knownAt: catalog.endKnownAt(slot) }
    })
    const named = (now: number) => this.#aliases({ now, valid: now })
    this.#bearing = new RelevantItems(context, this.#table, new Relations(context.indexes), named)
    this.#itemIndex = context.itemIndex((id) => this.#describe(id))
    catalog.watch((episode) => {
      for (const { id } of this.#table.restingOn(episode)) this.#itemIndex.touch(id)
    })
  }

  apply(event: LearningEvent, slot: number): void {
    const changed = this.#table.apply(event, slot)
    if (event.kind === 'beliefAsserted') {
      const triple = tripleOf(event)
      if (triple !== undefined && isAlias(triple)) this.#naming.push({ id: event.belief, triple })
    }
    if (changed !== undefined) this.#itemIndex.touch(changed)
  }

  retract(events: readonly LearningEvent[]): void {
    for (const event of events) {
      const changed = this.#table.retract(event)
      if (changed !== undefined) this.#itemIndex.touch(changed)
      else if (event.kind === 'beliefAsserted') this.#itemIndex.forget(event.belief)
    }
    this.#naming = this.#naming.filter(({ id }) => this.#table.find(id) !== undefined)
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return (
      this.#table.bytes +
      this.#itemIndex.bytes +
      sampledBytes(this.#naming, this.#naming.length, (one) => HEAP.field + heapBytes(one, false))
    )
  }

  free(): void {
    this.#itemIndex.free()
  }

  /** Beliefs that are held. */
  get size(): number {
    return this.#table.size
  }

  /** The public methods of beliefs in the name of a caller. */
  methods(caller: Caller): BeliefMethods {
    return {
      assertBelief: (belief) => this.assert(belief, caller),
      reviseBelief: (id, evidenceId) => this.revise(id, evidenceId, caller),
      reviseBeliefs: (episodeId) => this.reviseAll(episodeId, caller),
      whatDoIBelieve: (about, options) => this.about(about, options),
      beliefHistory: (id) => this.history(id),
      withdrawBelief: (id, reason) => this.withdraw(id, reason, caller),
      getBelief: (id) => this.get(id),
    }
  }

  async assert(belief: NewBelief, caller: Caller): Promise<BeliefId> {
    const { limits } = this.#context
    checkKeys('belief', belief, KEYS)
    if (belief === undefined) throw invalid('belief is undefined; expected { claim, … }', { what: 'belief' })
    const { claim, subject, predicate, object, confidence = 0.5, session, source } = belief
    checkText('claim', claim, limits, FIELD_LIMITS.belief.claim)
    for (const [what, name] of Object.entries({ subject, predicate, object, session, source }))
      checkName(what, name, limits)
    const missing = PARTS.filter((part) => belief[part] === undefined)
    if (missing.length % PARTS.length > 0) {
      throw invalid(
        `the belief has no ${missing.join(' and no ')}; a statement has a subject, a predicate and an object: give all three, or none`,
        { missing },
      )
    }
    checkNumber('confidence', confidence, 0, 1)
    const evidence = checkEvidence('evidence', belief.evidence, this.#context.limits)
    const from = belief.validFrom === undefined ? undefined : toMillis(belief.validFrom, 'validFrom')
    const to = belief.validTo === undefined ? undefined : toMillis(belief.validTo, 'validTo')
    const {
      indexes: { catalog },
      learn,
      makeId,
    } = this.#context
    return learn(caller, async (now) => {
      expectEvidence(catalog, evidence)
      const start = from ?? now
      if (to !== undefined) expectAfter('validTo', to, 'validFrom', start)
      const given: Assertion = {
        claim,
        ...(subject !== undefined && { subject, predicate, object }),
        ...(belief.confidence !== undefined && { confidence }),
        evidence,
        validFrom: toIso(start),
        ...(to !== undefined && { validTo: toIso(to) }),
      }
      const trust = evidence.map((episode) => this.#trust(catalog.source(catalog.slot(episode)!)))
      const superseded = evidence.filter((episode) => catalog.validTo(catalog.slot(episode)!) <= now)
      const same = await again(this.#table, this.#bearing, given, { trust, superseded }, now)
      if (same !== undefined) return { events: same.events, answer: same.id, result: () => same.id }
      const id = makeId('be_', now, (id) => this.#table.find(id) !== undefined)
      const event: NewEvent<'beliefAsserted'> = {
        kind: 'beliefAsserted',
        belief: id,
        ...given,
        confidence,
        ...(evidence.length > 0 && { trust }),
        ...(superseded.length > 0 && { superseded }),
        provenance: {
          ...(source !== undefined && { source }),
          ...(session !== undefined && { session }),
          writer: caller.writer,
          episodes: evidence,
        },
      }
      return { events: [event], answer: id, result: () => id }
    })
  }

  async revise(id: BeliefId, evidenceId: EpisodeId, caller: Caller): Promise<RevisionReport> {
    const { limits, indexes, find, learn, clock } = this.#context
    checkId('id', id, limits)
    checkId('evidenceId', evidenceId, limits)
    const earlier = this.#earlier(this.#find(id), evidenceId)
    if (earlier?.revision.automatic) return reportOf(this.#find(id), earlier)
    const belief = await this.#whole(this.#revisable(id, evidenceId))
    const episode = await find(evidenceId)
    if (episode === undefined) throw noEpisode(evidenceId)
    const finding = await this.#bearing.verdict(belief, episode, clock())
    // A language model may take its time, so it is not asked while nothing else can be written.
    const decision = typeof finding === 'object' ? finding : await this.#decide(belief, episode)
    return learn(caller, (now) => {
      liveSlot(indexes, evidenceId)
      const { confidence } = this.#revisable(id, evidenceId)
      const held = this.#find(id)
      // That it says nothing is worth one entry.
      const before = decision.verdict === 'neutral' ? this.#earlier(held, evidenceId) : undefined
      if (before?.revision.kind === 'revised') {
        return { events: [], result: () => ({ ...reportOf(held, before), before: confidence, after: confidence }) }
      }
      const trust = this.#trust(episode.source)
      const { events, report } = revise({ id, confidence, next: held.log.length }, episode, { ...decision, trust }, now)
      return { events, answer: report, result: () => report }
    })
  }

  /** Revises all beliefs on which an episode bears. */
  async reviseAll(episodeId: EpisodeId, caller: Caller): Promise<BeliefChange[]> {
    const { limits, indexes, find, learn, clock } = this.#context
    checkId('episodeId', episodeId, limits)
    const episode = await find(episodeId)
    if (episode === undefined) throw noEpisode(episodeId)
    const borne = await this.#bearing.on(episode, clock())
    const decisions = new Map<BeliefId, RevisionDecision | 'unclear'>()
    for (const { held, isUnclear } of borne) {
      const decision = await this.#judge(held, episode, isUnclear)
      if (decision !== undefined) decisions.set(held.id, decision)
    }
    return learn(caller, (now) => {
      liveSlot(indexes, episodeId)
      const trust = this.#trust(episode.source)
      const drafts = new Map<BeliefId, Drafted>()
      for (const [id, decision] of decisions) {
        const held = this.#find(id)
        const belief = this.#table.stands(held, { now })!
        // Meanwhile it may have been withdrawn, or revised by this episode.
        if (belief.withdrawn !== undefined || this.#isCounted(held, episodeId)) continue
        const revised = { id, confidence: belief.confidence, next: held.log.length }
        const drafted =
          decision === 'unclear'
            ? flag(revised, episodeId, UNCLEAR.begins, now)
            : revise(revised, episode, { ...decision, trust }, now)
        drafts.set(id, drafted)
      }
      const answer = borne.flatMap(({ held }): BeliefChange[] => {
        const entry = this.#earlier(held, episodeId)
        const report = drafts.get(held.id)?.report ?? (entry && reportOf(held, entry))
        return report === undefined ? [] : [{ belief: held.id, ...report }]
      })
      return { events: [...drafts.values()].flatMap(({ events }) => events), answer, result: () => answer }
    })
  }

  /** What new episodes do to the beliefs on which they bear; `undefined` where nothing is believed. */
  follow(episodes: readonly Episode[], now: number): Promise<NewEvent[]> | undefined {
    return this.#table.isEmpty ? undefined : follow(episodes, this.#table, this.#bearing, this.#trust, now)
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

    const aliases = await aliasesOf(this.#context, about, this.#aliases(times), { now, validAsOf, transactionAsOf })
    const seen = new Set<BeliefId>()
    type Found = Omit<FoundBelief, 'conflictsWith'>
    const answers = (foundBy: FoundBelief['foundBy'], items: readonly Held[]): Found[] =>
      items.flatMap((held) => {
        const belief = this.#table.holds(held, times)
        if (belief === undefined || belief.confidence < minConfidence || seen.has(held.id)) return []
        seen.add(held.id)
        return { ...belief, foundBy }
      })
    const surest = (found: Found[]) =>
      found.sort((a, b) => b.confidence - a.confidence || this.#find(a.id).place - this.#find(b.id).place)
    const named = [
      ...surest(answers('concept', this.#table.about(about))),
      ...surest(
        answers(
          'alias',
          aliases.flatMap((alias) => this.#table.about(alias)),
        ),
      ),
    ]
    const whole = (found: readonly Found[]) => Promise.all(found.map((belief) => this.#whole(belief, transactionAsOf)))
    if (named.length >= k) return whole(named.slice(0, k))
    // Enough that some may be left out: what was found already, and what is too unsure.
    const enough = minConfidence > 0 ? MAX_LISTED : Math.min(MAX_LISTED, 2 * k + named.length)
    const similar = await this.#itemIndex.find(about, { k: enough, now, validAsOf: times.valid, transactionAsOf })
    const like = answers(
      'similarity',
      similar.filter(({ bears }) => bears).map(({ id }) => this.#find(id)),
    )
    return whole([...named, ...surest(like.slice(0, k - named.length))])
  }

  async history(id: BeliefId): Promise<BeliefRevision[]> {
    checkId('id', id, this.#context.limits)
    const held = this.#find(id)
    const { evidence = [], contradictions = [] } = this.#table.stands(held, { now: this.#context.clock() }) ?? {}
    const counts = new Set([...evidence, ...contradictions])
    return held.log.map((entry) => {
      const {
        revision,
        counted: [counted],
      } = entry
      if (revision.kind !== 'revised' || counted === undefined || counts.has(counted.episode)) return { ...revision }
      const isThere = this.#table.fate(counted.episode, entry) !== undefined
      return { ...revision, discounted: isThere ? 'superseded' : 'removed' }
    })
  }

  async withdraw(id: BeliefId, reason: string, caller: Caller): Promise<void> {
    const { limits, learn } = this.#context
    checkId('id', id, limits)
    checkText('reason', reason, limits)
    return learn(caller, (now) => {
      const { confidence } = this.#standing(id)
      const revision: BeliefRevision = {
        revision: this.#find(id).log.length,
        at: toIso(now),
        kind: 'withdrawn',
        before: confidence,
        after: confidence,
        reason,
      }
      return { events: [{ kind: 'beliefWithdrawn', belief: id, revision }], result: () => undefined }
    })
  }

  async get(id: BeliefId): Promise<Belief | undefined> {
    checkId('id', id, this.#context.limits)
    const held = this.#table.find(id)
    return held && this.#whole(this.#stands(held))
  }

  /** The beliefs that bear on a cue, best first. */
  async bearingOn(cue: string, asking: ItemQuery): Promise<RecalledBelief[]> {
    const { k, now, validAsOf = now, transactionAsOf } = asking
    const found = await this.#itemIndex.find(cue, { ...asking, k: 2 * k, validAsOf })
    const bearing = found
      .filter(({ bears }) => bears)
      .flatMap(({ id, relevance }) => {
        const belief = this.#table.holds(this.#find(id), { now, valid: validAsOf, known: transactionAsOf })
        return belief === undefined ? [] : { ...belief, relevance }
      })
    return Promise.all(bearing.slice(0, k).map((belief) => this.#whole(belief, transactionAsOf)))
  }

  /** The newest beliefs that are held, oldest first: what is to be expected. */
  recent(most: number): Standing[] {
    const now = this.#context.clock()
    const found: Standing[] = []
    for (const held of this.#table.newest()) {
      if (found.length >= most) break
      const belief = this.#table.holds(held, { now, valid: now })
      if (belief !== undefined) found.push(belief)
    }
    return found.reverse()
  }

  /** What a belief claims; `undefined` where there is none. */
  claim(id: BeliefId): { readonly text: string; readonly triple?: Triple } | undefined {
    const held = this.#table.find(id)
    const triple = held && tripleOf(held.asserted)
    return held && { text: held.asserted.claim, ...(triple && { triple }) }
  }

  #find(id: BeliefId): Held {
    const held = this.#table.find(id)
    if (held === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no belief with the id ${JSON.stringify(id)}`, { id })
    return held
  }

  /** A belief as it stands now. */
  #stands(held: Held): Standing {
    return this.#table.stands(held, { now: this.#context.clock() })!
  }

  /** A belief with those that conflict with it. */
  async #whole<B extends Standing>(belief: B, known?: number): Promise<B & Pick<Belief, 'conflictsWith'>> {
    const now = this.#context.clock()
    return { ...belief, conflictsWith: await conflicts(belief, this.#table, this.#bearing, { now, known }) }
  }

  /** What an episode that is there did to a belief: the newest entry that is about it. */
  #earlier({ log }: Held, episode: EpisodeId): Entry | undefined {
    return log.findLast((entry) => {
      const { kind, evidence } = entry.revision
      return evidence === episode && kind !== 'withdrawn' && this.#table.fate(episode, entry) !== undefined
    })
  }

  /** Whether an episode that is there counts for or against a belief, or did until it was superseded. */
  #isCounted({ log }: Held, episode: EpisodeId): boolean {
    return log.some(
      (entry) =>
        entry.counted.some((counted) => counted.episode === episode) && this.#table.fate(episode, entry) !== undefined,
    )
  }

  /** What an episode says of a belief that is not known yet. */
  async #judge(held: Held, episode: Episode, isUnclear: boolean): Promise<RevisionDecision | 'unclear' | undefined> {
    const belief = this.#stands(held)
    const earlier = this.#earlier(held, episode.id)
    if (belief.withdrawn !== undefined || earlier?.revision.kind === 'revised') return undefined
    if (this.#isCounted(held, episode.id)) return undefined
    const finding = await this.#bearing.verdict(belief, episode, this.#context.clock())
    if (typeof finding === 'object') return finding
    if (this.#context.options.decideRevision !== undefined) return this.#decide(await this.#whole(belief), episode)
    return (finding === 'both' || isUnclear) && earlier === undefined ? 'unclear' : undefined
  }

  /** A belief that is not withdrawn. */
  #standing(id: BeliefId): Standing {
    const belief = this.#stands(this.#find(id))
    if (belief.withdrawn === undefined) return belief
    const { at, reason } = belief.withdrawn
    throw new AgidbError(
      'AGIDB_BELIEF_WITHDRAWN',
      `the belief ${JSON.stringify(id)} was withdrawn at ${at}: ${reason}; assert it anew to hold it again`,
      { id, at },
    )
  }

  /** A belief that is not withdrawn and that the episode has not changed yet: an episode counts once. */
  #revisable(id: BeliefId, evidenceId: EpisodeId): Standing {
    const belief = this.#standing(id)
    if (this.#isCounted(this.#find(id), evidenceId)) {
      throw invalid(
        `the episode ${JSON.stringify(evidenceId)} counts for or against the belief already; an episode counts once`,
        { id, evidenceId },
      )
    }
    return belief
  }

  async #decide(belief: Belief, episode: Episode): Promise<RevisionDecision> {
    const { decideRevision } = this.#context.options
    if (decideRevision === undefined) return { verdict: 'neutral', reason: 'its triples say nothing of the claim' }
    let decision: unknown
    try {
      decision = await decideRevision(belief, episode)
    } catch (cause) {
      const message = `decideRevision failed, so the belief stays as it is: ${toWire(cause).message}`
      throw new AgidbError('AGIDB_DECISION', message, { belief: belief.id, evidence: episode.id }, { cause })
    }
    if (typeof decision !== 'object' || decision === null)
      throw invalid('decideRevision must answer { verdict, reason }', { what: 'decideRevision' })
    const { verdict, reason } = decision as RevisionDecision
    checkChoice('the verdict of decideRevision', verdict, ['supports', 'contradicts', 'neutral'])
    checkText('the reason of decideRevision', reason, this.#context.limits)
    return { verdict, reason }
  }

  /** What the beliefs say that were held about other names. */
  #aliases(times: { readonly now: number; readonly valid: number; readonly known?: number }): Triple[] {
    return this.#naming.flatMap(({ id, triple }) =>
      this.#table.holds(this.#find(id), times) === undefined ? [] : triple,
    )
  }

  /** A belief as something to be found. Withdrawn it was never true, as far as is known from then on. */
  #describe(id: BeliefId): IndexedItem | undefined {
    const held = this.#table.find(id)
    if (held === undefined) return undefined
    const { claim, validFrom, validTo, recordedAt, withdrawn, ...belief } = this.#stands(held)
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
        const knownAt = verdict === 'supports' ? this.#table.fate(episode, entry)?.knownAt : undefined
        return knownAt !== undefined && knownAt < Infinity ? [knownAt] : []
      }),
    )
    return asserted.validTo !== undefined || known.length === 0 ? asserted.at : toIso(Math.max(...known))
  }
}

function noEpisode(id: EpisodeId): AgidbError {
  return new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
}
