import type { Belief, BeliefId, BeliefOptions, BeliefRevision, FoundBelief, NewBelief, RevisionDecision, RevisionReport } from '../core/belief.js'
import { tripleOf } from '../core/belief.js'
import type { Caller } from '../core/caller.js'
import { checkChoice, checkId, checkKeys, checkName, checkNumber, checkText, checkWhole, invalid } from '../core/check.js'
import type { Episode, EpisodeId, Triple } from '../core/episode.js'
import { AgidbError, toWire } from '../core/errors.js'
import { HEAP, heapBytes, sampledBytes } from '../core/heap.js'
import type { RecalledBelief } from '../core/recall.js'
import { toIso, toMillis } from '../core/time.js'
import { beliefAt, BeliefTable, heldAt, posterior, type Held, type Times, WITHDRAWN_BELOW } from '../floors/beliefs.js'
import type { Logged, NewEvent } from '../floors/log.js'
import { liveSlot } from '../lifecycle/writer.js'
import { aliasesOf, isAlias } from './aliases.js'
import { checkEvidence, expectEvidence } from './evidence.js'
import { Relations } from './relations.js'
import type { Floor, Setting } from './setting.js'
import type { Asking, Shelf, Shelved } from './shelf.js'
import { checkTrust, type Trust } from './trust.js'
import { verdictOf } from './verdict.js'
import { FIELD_LIMITS } from '../core/field-limits.js'

const PARTS = ['subject', 'predicate', 'object'] as const
const KEYS = ['claim', ...PARTS, 'confidence', 'evidence', 'validFrom', 'validTo', 'session', 'source']
/** Beliefs of one answer, at most. */
const MOST = 1_000

/** What the agent holds to be true (floor 6). */
export class Beliefs implements Floor {
  readonly #setting: Setting
  readonly #table = new BeliefTable()
  readonly #shelf: Shelf
  readonly #trust: Trust
  readonly #relations: Relations
  /** The beliefs that give a concept another name, in order. */
  readonly #naming: { readonly id: BeliefId; readonly triple: Triple }[] = []

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if `sourceTrust` or `decideRevision` are not what they must be. */
  constructor(setting: Setting) {
    const { sourceTrust, decideRevision } = setting.options
    this.#trust = checkTrust(sourceTrust)
    if (decideRevision !== undefined && typeof decideRevision !== 'function') {
      throw invalid('decideRevision must be a function that takes a belief and an episode, and answers { verdict, reason }', { option: 'decideRevision' })
    }
    this.#setting = setting
    this.#relations = new Relations(setting.indexes)
    this.#shelf = setting.shelf((id) => shelved(this.#table.find(id)))
  }

  apply({ event }: Logged): void {
    const changed = this.#table.apply(event)
    if (event.kind === 'beliefAsserted') {
      const triple = tripleOf(event)
      if (triple !== undefined && isAlias(triple)) this.#naming.push({ id: event.belief, triple })
    }
    if (changed !== undefined && event.kind !== 'beliefRevised') this.#shelf.touch(changed)
  }

  /** Bytes of memory beside the kernel's and the log of events, about. */
  get bytes(): number {
    return this.#table.bytes + this.#shelf.bytes + sampledBytes(this.#naming, this.#naming.length, (one) => HEAP.field + heapBytes(one, false))
  }

  free(): void {
    this.#shelf.free()
  }

  /** Beliefs that are held. */
  get size(): number {
    return this.#table.size
  }

  async assert(belief: NewBelief, caller: Caller): Promise<BeliefId> {
    const { limits } = this.#setting
    checkKeys('belief', belief, KEYS)
    if (belief === undefined) throw invalid('belief is undefined; expected { claim, … }', { what: 'belief' })
    const { claim, subject, predicate, object, confidence = 0.5, session, source } = belief
    checkText('claim', claim, limits, FIELD_LIMITS.belief.claim)
    for (const [what, name] of Object.entries({ subject, predicate, object, session, source })) checkName(what, name, limits)
    const missing = PARTS.filter((part) => belief[part] === undefined)
    if (missing.length % PARTS.length > 0) {
      throw invalid(`the belief has no ${missing.join(' and no ')}; a statement has a subject, a predicate and an object: give all three, or none`, { missing })
    }
    checkNumber('confidence', confidence, 0, 1)
    const evidence = checkEvidence('evidence', belief.evidence, this.#setting.limits)
    const from = belief.validFrom === undefined ? undefined : toMillis(belief.validFrom, 'validFrom')
    const to = belief.validTo === undefined ? undefined : toMillis(belief.validTo, 'validTo')
    return this.#setting.learn(caller, (now) => {
      expectEvidence(this.#setting.indexes.catalog, evidence)
      const start = from ?? now
      if (to !== undefined && to <= start) {
        throw invalid(`validTo is ${toIso(to)}, which is not after validFrom, ${toIso(start)}; expected a later time`, { validFrom: start, validTo: to })
      }
      const id = this.#setting.makeId('be_', now, (id) => this.#table.find(id) !== undefined)
      const event: NewEvent<'beliefAsserted'> = {
        kind: 'beliefAsserted',
        belief: id,
        claim,
        ...(subject !== undefined && { subject, predicate, object }),
        confidence,
        evidence,
        validFrom: toIso(start),
        ...(to !== undefined && { validTo: toIso(to) }),
        provenance: { ...(source !== undefined && { source }), ...(session !== undefined && { session }), writer: caller.writer, episodes: evidence },
      }
      return { events: [event], answer: id, result: () => id }
    })
  }

  async revise(id: BeliefId, evidenceId: EpisodeId, caller: Caller): Promise<RevisionReport> {
    const { limits, indexes, find, learn } = this.#setting
    checkId('id', id, limits)
    checkId('evidenceId', evidenceId, limits)
    const standing = this.#revisable(id, evidenceId)
    const episode = await find(evidenceId)
    if (episode === undefined) throw noEpisode(evidenceId)
    // A language model may take its time, so it is not asked while nothing else can be written.
    const finding = verdictOf(standing, episode, { relations: this.#relations })
    const { verdict, reason } = typeof finding === 'object' ? finding : await this.#decide(standing, episode)
    return learn(caller, (now) => {
      liveSlot(indexes, evidenceId)
      const { confidence: before } = this.#revisable(id, evidenceId)
      const after = posterior(before, verdict, this.#trust(episode.source))
      const next = this.#find(id).log.length
      const revision: BeliefRevision = { revision: next, at: toIso(now), kind: 'revised', before, after, evidence: evidenceId, verdict, reason }
      const events: NewEvent[] = [{ kind: 'beliefRevised', belief: id, revision }]
      const withdrawn = verdict === 'contradicts' && after < WITHDRAWN_BELOW
      if (withdrawn) {
        const end = { ...revision, revision: next + 1, kind: 'withdrawn' as const, before: after, reason: `contradicted until its confidence was below ${WITHDRAWN_BELOW}` }
        events.push({ kind: 'beliefWithdrawn', belief: id, revision: end })
      }
      const report = { before, after, contradicted: verdict === 'contradicts', withdrawn, revision: { ...revision } }
      return { events, answer: report, result: () => report }
    })
  }

  async about(about: string, options: BeliefOptions = {}): Promise<FoundBelief[]> {
    const { limits, clock } = this.#setting
    checkText('about', about, limits, 'cueBytes')
    checkKeys('whatDoIBelieve', options, ['validAsOf', 'transactionAsOf', 'k', 'minConfidence'])
    const { k = 10, minConfidence = 0 } = options
    checkWhole('k', k, 1, MOST)
    checkNumber('minConfidence', minConfidence, 0, 1)
    const now = clock()
    const validAsOf = options.validAsOf === undefined ? undefined : toMillis(options.validAsOf, 'validAsOf')
    const transactionAsOf = options.transactionAsOf === undefined ? undefined : toMillis(options.transactionAsOf, 'transactionAsOf')
    const times: Times = { valid: validAsOf ?? now, known: transactionAsOf }

    const aliases = await aliasesOf(this.#setting, about, this.#aliases(times), { now, validAsOf, transactionAsOf })
    const seen = new Set<BeliefId>()
    const answers = (foundBy: FoundBelief['foundBy'], items: readonly Held[]): FoundBelief[] =>
      items.flatMap((held) => {
        const belief = heldAt(held, times)
        if (belief === undefined || belief.confidence < minConfidence || seen.has(held.id)) return []
        seen.add(held.id)
        return { ...belief, foundBy }
      })
    const surest = (found: FoundBelief[]) => found.sort((a, b) => b.confidence - a.confidence || this.#find(a.id).place - this.#find(b.id).place)
    const named = [
      ...surest(answers('concept', this.#table.about(about))),
      ...surest(answers('alias', aliases.flatMap((alias) => this.#table.about(alias)))),
    ]
    if (named.length >= k) return named.slice(0, k)
    // Enough that some may be left out: what was found already, and what is too unsure.
    const enough = minConfidence > 0 ? MOST : Math.min(MOST, 2 * k + named.length)
    const similar = await this.#shelf.find(about, { k: enough, now, validAsOf: times.valid, transactionAsOf })
    const like = answers('similarity', similar.filter(({ bears }) => bears).map(({ id }) => this.#find(id)))
    return [...named, ...surest(like.slice(0, k - named.length))]
  }

  async history(id: BeliefId): Promise<BeliefRevision[]> {
    checkId('id', id, this.#setting.limits)
    return this.#find(id).log.map((revision) => ({ ...revision }))
  }

  async withdraw(id: BeliefId, reason: string, caller: Caller): Promise<void> {
    const { limits, learn } = this.#setting
    checkId('id', id, limits)
    checkText('reason', reason, limits)
    return learn(caller, (now) => {
      const { confidence } = this.#standing(id)
      const revision: BeliefRevision = {
        revision: this.#find(id).log.length, at: toIso(now), kind: 'withdrawn', before: confidence, after: confidence, reason,
      }
      return { events: [{ kind: 'beliefWithdrawn', belief: id, revision }], result: () => undefined }
    })
  }

  async get(id: BeliefId): Promise<Belief | undefined> {
    checkId('id', id, this.#setting.limits)
    const held = this.#table.find(id)
    return held && beliefAt(held)
  }

  /** The beliefs that bear on a cue, best first. */
  async bearingOn(cue: string, asking: Asking): Promise<RecalledBelief[]> {
    const { k, now, validAsOf = now, transactionAsOf } = asking
    const found = await this.#shelf.find(cue, { ...asking, k: 2 * k, validAsOf })
    return found
      .filter(({ bears }) => bears)
      .flatMap(({ id, relevance }) => {
        const belief = heldAt(this.#find(id), { valid: validAsOf, known: transactionAsOf })
        return belief === undefined ? [] : { ...belief, relevance }
      })
      .slice(0, k)
  }

  /** The newest beliefs that are held, oldest first: what is to be expected. */
  recent(most: number): Belief[] {
    const times = { valid: this.#setting.clock() }
    const found: Belief[] = []
    for (const held of this.#table.newest()) {
      if (found.length >= most) break
      const belief = heldAt(held, times)
      if (belief !== undefined) found.push(belief)
    }
    return found.reverse()
  }

  /** What a belief claims; `undefined` where there is none. */
  claim(id: BeliefId): { readonly text: string } | undefined {
    const held = this.#table.find(id)
    return held && { text: held.asserted.claim }
  }

  #find(id: BeliefId): Held {
    const held = this.#table.find(id)
    if (held === undefined) throw new AgidbError('AGIDB_NOT_FOUND', `there is no belief with the id ${JSON.stringify(id)}`, { id })
    return held
  }

  /** A belief that is not withdrawn. */
  #standing(id: BeliefId): Belief {
    const belief = beliefAt(this.#find(id))!
    if (belief.withdrawn === undefined) return belief
    const { at, reason } = belief.withdrawn
    throw new AgidbError('AGIDB_BELIEF_WITHDRAWN', `the belief ${JSON.stringify(id)} was withdrawn at ${at}: ${reason}; assert it anew to hold it again`, { id, at })
  }

  /** A belief that is not withdrawn and that the episode has not changed yet: an episode counts once. */
  #revisable(id: BeliefId, evidenceId: EpisodeId): Belief {
    const belief = this.#standing(id)
    if (belief.evidence.includes(evidenceId) || belief.contradictions.includes(evidenceId)) {
      throw invalid(`the episode ${JSON.stringify(evidenceId)} counts for or against the belief already; an episode counts once`, { id, evidenceId })
    }
    return belief
  }

  async #decide(belief: Belief, episode: Episode): Promise<RevisionDecision> {
    const { decideRevision } = this.#setting.options
    if (decideRevision === undefined) return { verdict: 'neutral', reason: 'its triples say nothing of the claim' }
    let decision: unknown
    try {
      decision = await decideRevision(belief, episode)
    } catch (cause) {
      const message = `decideRevision failed, so the belief stays as it is: ${toWire(cause).message}`
      throw new AgidbError('AGIDB_DECISION', message, { belief: belief.id, evidence: episode.id }, { cause })
    }
    if (typeof decision !== 'object' || decision === null) throw invalid('decideRevision must answer { verdict, reason }', { what: 'decideRevision' })
    const { verdict, reason } = decision as RevisionDecision
    checkChoice('the verdict of decideRevision', verdict, ['supports', 'contradicts', 'neutral'])
    checkText('the reason of decideRevision', reason, this.#setting.limits)
    return { verdict, reason }
  }

  /** What the beliefs say that were held about other names. */
  #aliases(times: Times): Triple[] {
    return this.#naming.flatMap(({ id, triple }) => (heldAt(this.#find(id), times) === undefined ? [] : triple))
  }
}

/** A belief as something to be found. Withdrawn it was never true, as far as is known from then on. */
function shelved(held: Held | undefined): Shelved | undefined {
  const belief = held && beliefAt(held)
  if (belief === undefined) return undefined
  const { id, claim, validFrom, validTo, recordedAt, withdrawn } = belief
  const triple = tripleOf(belief)
  const ended = withdrawn !== undefined ? { at: validFrom, recordedAt: withdrawn.at } : validTo !== undefined ? { at: validTo, recordedAt } : undefined
  return { id, text: claim, ...(triple && { triples: [triple] }), at: validFrom, recordedAt, ...(ended && { ended }) }
}

function noEpisode(id: EpisodeId): AgidbError {
  return new AgidbError('AGIDB_NOT_FOUND', `there is no episode with the id ${JSON.stringify(id)}`, { id })
}
