import { type Belief, type BeliefId, tripleOf } from '../../api/belief.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import { AgidbError } from '../../base/errors.js'
import type { Catalog } from '../../indexes/catalog.js'
import type { MemoryContext } from '../context.js'
import type { Relations } from '../relations.js'
import type { Moment, RelevantItems } from '../relevant-items.js'
import type { conflicts } from './conflicts.js'
import type { OwnBeliefs } from './own-beliefs.js'
import { BeliefTable } from './projection.js'
import { checkTrust, type SourceTrust } from './source-trust.js'
import { endedBy, type Episodes, type SlotOf } from './effective.js'
import { beliefAt, type Entry, type FateOf, type Held, type Standing } from './standing.js'

/** What compares beliefs with episodes and with each other. It is large, and a memory without beliefs needs none. */
export interface Comparison {
  readonly RelevantItems: typeof RelevantItems
  readonly Relations: typeof Relations
  readonly conflicts: typeof conflicts
}

/** The beliefs, as all methods about them read them: how each stands, and what an episode did to it. */
export class HeldBeliefs {
  readonly context: MemoryContext
  readonly table: BeliefTable
  /** The episodes on which they rest. */
  readonly episodes: Episodes
  /** How far the source of an episode is trusted. */
  readonly trust: SourceTrust
  readonly #loadComparison: () => Promise<Comparison>
  #bearing: RelevantItems | undefined
  readonly #loadOwn: (beliefs: HeldBeliefs) => Promise<OwnBeliefs>
  #loading: Promise<OwnBeliefs> | undefined
  #own: OwnBeliefs | undefined

  /**
   * @param loadComparison loads what compares beliefs, when there first are any.
   * @param loadOwn makes what looks after the beliefs of the memory's own, when there may first be any.
   * @throws AgidbError `AGIDB_INVALID_ARGUMENT` if `sourceTrust` is not what it must be.
   */
  constructor(
    context: MemoryContext,
    loadComparison: () => Promise<Comparison>,
    loadOwn: (beliefs: HeldBeliefs) => Promise<OwnBeliefs>,
  ) {
    this.#loadComparison = loadComparison
    this.#loadOwn = loadOwn
    this.context = context
    this.trust = checkTrust(context.options.sourceTrust)
    const { catalog } = context.indexes
    this.episodes = episodesOf(catalog)
    this.table = new BeliefTable(this.episodes, (predicate) => context.indexes.ontology.of(predicate).name)
  }

  /** Finds the beliefs on which an episode bears. */
  async bearing(): Promise<RelevantItems> {
    const { RelevantItems, Relations } = await this.#loadComparison()
    const { context, table } = this
    return (this.#bearing ??= new RelevantItems(context, table, new Relations(context.indexes), (moment) =>
      this.aliasesAt(moment),
    ))
  }

  /** Bytes of main memory, about. */
  get bytes(): number {
    return this.table.bytes + (this.#own?.bytes ?? 0)
  }

  /** Whether the memory comes to believe by itself what episodes state. */
  get believes(): boolean {
    return this.context.options.autoBelieve !== undefined
  }

  /** Whether it does, or did. */
  get hasOwn(): boolean {
    return this.believes || this.table.hasAutomatic
  }

  /** What the memory comes to believe by itself. */
  own(): Promise<OwnBeliefs> {
    this.#loading ??= this.#loadOwn(this).then((own) => (this.#own = own))
    // A part that could not be loaded is asked for again.
    this.#loading.catch(() => (this.#loading = undefined))
    return this.#loading
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
    const { conflicts } = await this.#loadComparison()
    const now = this.context.clock()
    return { ...belief, conflictsWith: await conflicts(belief, this.table, await this.bearing(), { now, known }) }
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
    return this.table
      .naming()
      .flatMap((held) => (this.table.holds(held, times) === undefined ? [] : tripleOf(held.asserted)!))
  }

  /** The same of a moment, by the log up to it. */
  aliasesAt({ now, before }: Moment): Triple[] {
    if (before === undefined) return this.aliases({ now, valid: now })
    return this.table.naming().flatMap((held) => {
      const then = held.place < before ? this.then(held, now, before) : undefined
      const isHeld =
        then !== undefined &&
        then.withdrawn === undefined &&
        Date.parse(then.validFrom) <= now &&
        (then.validTo === undefined || now < Date.parse(then.validTo))
      return isHeld ? tripleOf(held.asserted)! : []
    })
  }

  /** A belief as it stood before a slot, by the ends that were known at that time. */
  then(held: Held, now: number, before: number): Standing | undefined {
    const { fateOf } = this.episodes
    const log = held.log.filter(({ order }) => order < before)
    return log.length === 0
      ? undefined
      : beliefAt({ ...held, log }, { now }, (episode, slot) => fateOf(episode, slot, now))
  }
}

/** What a catalog knows of the episodes on which beliefs rest. */
function episodesOf(catalog: Catalog): Episodes {
  const slotOf: SlotOf = (episode, before) => {
    const slot = catalog.slot(episode)
    return slot === undefined || slot >= before ? undefined : slot
  }
  const fateOf: FateOf = (episode, before, known) => {
    const slot = slotOf(episode, before)
    return slot === undefined ? undefined : { endsAt: catalog.validTo(slot, known), knownAt: catalog.endKnownAt(slot) }
  }
  return { slotOf, fateOf, hadEnded: endedBy(fateOf) }
}
