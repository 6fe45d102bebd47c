import { type Belief, type BeliefId, tripleOf } from '../../api/belief.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import type { LearningEvent } from '../../api/learning.js'
import { AgidbError } from '../../base/errors.js'
import { HEAP, heapBytes, sampledBytes } from '../../base/heap-size.js'
import type { MemoryContext } from '../context.js'
import { Relations } from '../relations.js'
import { RelevantItems } from '../relevant-items.js'
import { isAlias } from './aliases.js'
import { conflicts } from './conflicts.js'
import { BeliefTable } from './projection.js'
import { checkTrust, type SourceTrust } from './source-trust.js'
import type { Entry, Held, Standing } from './standing.js'

/** The beliefs, as all methods about them read them: how each stands, and what an episode did to it. */
export class HeldBeliefs {
  readonly context: MemoryContext
  readonly table: BeliefTable
  /** How far the source of an episode is trusted. */
  readonly trust: SourceTrust
  /** Finds the beliefs on which an episode bears. */
  readonly bearing: RelevantItems
  /** The beliefs that give a concept another name, in order. */
  #naming: { readonly id: BeliefId; readonly triple: Triple }[] = []

  /** @throws AgidbError `AGIDB_INVALID_ARGUMENT` if `sourceTrust` is not what it must be. */
  constructor(context: MemoryContext) {
    this.context = context
    this.trust = checkTrust(context.options.sourceTrust)
    const { catalog } = context.indexes
    this.table = new BeliefTable((episode, before, known) => {
      const slot = catalog.slot(episode)
      if (slot === undefined || slot >= before) return undefined
      return { endsAt: catalog.validTo(slot, known), knownAt: catalog.endKnownAt(slot) }
    })
    const named = (now: number) => this.aliases({ now, valid: now })
    this.bearing = new RelevantItems(context, this.table, new Relations(context.indexes), named)
  }

  /** Takes an event in; answers the belief that it is about. */
  apply(event: LearningEvent, slot: number): BeliefId | undefined {
    if (event.kind === 'beliefAsserted') {
      const triple = tripleOf(event)
      if (triple !== undefined && isAlias(triple)) this.#naming.push({ id: event.belief, triple })
    }
    return this.table.apply(event, slot)
  }

  /** Takes an event out; answers the belief that it is about, if that is still there. */
  retract(event: LearningEvent): BeliefId | undefined {
    const left = this.table.retract(event)
    if (event.kind === 'beliefAsserted')
      this.#naming = this.#naming.filter(({ id }) => this.table.find(id) !== undefined)
    return left
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    const naming = sampledBytes(this.#naming, this.#naming.length, (one) => HEAP.field + heapBytes(one, false))
    return this.table.bytes + naming
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND` */
  find(id: BeliefId): Held {
    const held = this.table.find(id)
    if (held === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no belief with the id ${JSON.stringify(id)}`, { id })
    return held
  }

  /** A belief as it stands now. */
  stands(held: Held): Standing {
    return this.table.stands(held, { now: this.context.clock() })!
  }

  /** A belief with those that conflict with it. */
  async whole<B extends Standing>(belief: B, known?: number): Promise<B & Pick<Belief, 'conflictsWith'>> {
    const now = this.context.clock()
    return { ...belief, conflictsWith: await conflicts(belief, this.table, this.bearing, { now, known }) }
  }

  /** What an episode that is there did to a belief: the newest entry that is about it. */
  earlier({ log }: Held, episode: EpisodeId): Entry | undefined {
    return log.findLast((entry) => {
      const { kind, evidence } = entry.revision
      return evidence === episode && kind !== 'withdrawn' && this.table.fate(episode, entry) !== undefined
    })
  }

  /** Whether an episode that is there counts for or against a belief, or did until it was superseded. */
  isCounted({ log }: Held, episode: EpisodeId): boolean {
    return log.some(
      (entry) =>
        entry.counted.some((counted) => counted.episode === episode) && this.table.fate(episode, entry) !== undefined,
    )
  }

  /** @throws AgidbError `AGIDB_NOT_FOUND`; `AGIDB_BELIEF_WITHDRAWN` for one that is withdrawn. */
  standing(id: BeliefId): Standing {
    const belief = this.stands(this.find(id))
    if (belief.withdrawn === undefined) return belief
    const { at, reason } = belief.withdrawn
    throw new AgidbError(
      'AGIDB_BELIEF_WITHDRAWN',
      `the belief ${JSON.stringify(id)} was withdrawn at ${at}: ${reason}; assert it anew to hold it again`,
      { id, at },
    )
  }

  /** What the beliefs say that were held about other names. */
  aliases(times: { readonly now: number; readonly valid: number; readonly known?: number }): Triple[] {
    return this.#naming.flatMap(({ id, triple }) =>
      this.table.holds(this.find(id), times) === undefined ? [] : triple,
    )
  }
}
