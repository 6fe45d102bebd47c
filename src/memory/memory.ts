import type { Stats } from '../api/stats.js'
import type { Caller } from '../api/caller.js'
import type { Episode, EpisodeId, Observation } from '../api/episode.js'
import type { LearningEvent, LearningEventId, LearningKind } from '../api/learning.js'
import type { Recall } from '../api/recall.js'
import { AgidbError, type ErrorCode } from '../base/errors.js'
import { toIso } from '../api/time.js'
import { DIMENSION } from '../kernel/port.js'
import { kindOf, subjectsOf } from '../records/events/registry.js'
import { learningEventKind } from '../records/kinds/learning-event.js'
import type { RecordKind, RecordKinds } from '../records/record-kind.js'
import { LearningLog, type Logged, type NewEvent } from '../records/event-log.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { RecordChange } from '../write/record-change.js'
import type { AlongRecords, Writer } from '../write/writer.js'
import { AssociationFloor } from './associations/associations.js'
import { Atoms } from './knowledge/atoms.js'
import { Beliefs } from './beliefs/beliefs.js'
import { Concepts } from './concepts/concepts.js'
import { Conflicts } from './conflicts.js'
import { KeptMedia } from './episodes/kept-media.js'
import { EpisodeLinks } from './episodes/links.js'
import { Versions } from './episodes/versions.js'
import type { DocumentContext } from './documents/context.js'
import { mostSupported, surest } from './documents/beside.js'
import { DocumentFloor } from './documents/documents.js'
import { ExchangeRows } from './exchanged.js'
import { Goals } from './goals/goals.js'
import { Procedures } from './procedures/procedures.js'
import { AttentionTraces } from './self/attention-traces.js'
import { SelfVector } from './self/self-vector.js'
import { Self } from './self/self.js'
import { SensoryFloor } from './sensory/sensory.js'
import type { MemoryContext } from './context.js'
import type { Draft } from './draft.js'
import { goneFrom } from './evidence.js'
import type { FloorParts } from './floor-parts.js'
import { Audits } from './forgetting/audits.js'
import type { LogChange, OtherFloors } from './forgetting/floors.js'
import { Forgetting } from './forgetting/forgetting.js'
import { readWith, reread } from './episodes/readings.js'
import type { RevisedEpisodes } from './episodes/revised-episodes.js'
import { madeRecords, removalsOf } from './forgetting/records.js'
import {
  type ChangedEpisode,
  type Extension,
  ofEvents,
  type Projection,
  type Rederived,
  type Service,
  type IsGone,
} from './projection.js'
import { type Instead, toldNow, withoutGone } from './told.js'
import { Translations } from './translations/translations.js'
import { type ItemQuery, ItemIndex } from './item-index.js'
import { WorkingFloor } from './working/working.js'

/** Items of a floor that a recall returns beside the matches, at most. */
const BEARING = 10

/** With these a database can still be read. */
const READ_ON: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['AGIDB_QUOTA', 'AGIDB_STORAGE'])

/** The services, a line each, after those that they read. What they make of the log is registered by them. */
function makeServices(context: MemoryContext, parts: FloorParts, forget: DocumentContext['forget']) {
  const versions = new Versions()
  const media = new KeptMedia()
  const goals = new Goals(context, parts)
  const beliefs = new Beliefs(context, parts)
  const links = new EpisodeLinks(context, {
    stateOf: (goal) => goals.stateOf(goal),
    placeOf: (belief) => beliefs.placeOf(belief),
    beliefsWithout: (events, isGone) => beliefs.without(events, isGone),
  })
  const procedures = new Procedures(context, parts)
  const selfVector = new SelfVector(context.indexes.kernel.threshold(new Int32Array(DIMENSION)))
  const audits = new Audits()
  const atoms = new Atoms(context, selfVector, parts)
  const concepts = new Concepts(
    context,
    {
      beliefsOf: (names) => beliefs.named(names),
      believed: () => beliefs.believed(),
      trustOf: (source) => beliefs.trustOf(source),
      goals: () => goals.list(),
    },
    parts,
  )
  const conflicts = new Conflicts(context, {
    names: (concept, at) => beliefs.names(concept, at),
    beliefs: (query) => beliefs.conflicts(query),
    atoms: (query) => atoms.conflicts(query),
    statements: (query) => concepts.replacements(query),
  })
  const sensory = new SensoryFloor(context, { goals, beliefs, audits, media }, parts)
  const working = new WorkingFloor(context, goals)
  const self = new Self(
    context,
    selfVector,
    {
      atoms: () => atoms.standing(),
      belief: (id) => beliefs.claim(id),
      versions: (episode) => versions.of(episode),
      merges: () => concepts.merges(),
    },
    parts,
  )
  const translations = new Translations(
    context,
    {
      held: () => beliefs.recent(Number.POSITIVE_INFINITY),
      get: (id) => beliefs.get(id),
      names: (concept, at) => beliefs.names(concept, at),
    },
    links,
    parts,
  )
  const associations = new AssociationFloor(context)
  const documents = new DocumentFloor(context, {
    forget,
    beside: async (most) => ({
      goals: (await goals.active()).slice(0, most),
      beliefs: surest(beliefs.recent(Number.POSITIVE_INFINITY), most),
      atoms: mostSupported(atoms.supported(), most),
    }),
  })
  const traces = new AttentionTraces(context.indexes.catalog, context.limits.traces)
  const exchanged = new ExchangeRows()
  return {
    versions,
    media,
    goals,
    beliefs,
    links,
    procedures,
    selfVector,
    atoms,
    audits,
    concepts,
    conflicts,
    sensory,
    working,
    self,
    translations,
    associations,
    documents,
    traces,
    exchanged,
  }
}

/** Events that take the place of others. */
export interface Rederivation {
  readonly records: readonly RecordChange[]
  /** Has every floor take them in, once they are durable; `slots` are those of the records. */
  readonly done: (slots: readonly number[]) => void
}

/** The floors beside the episodes: one log of learning events, and what each floor makes of it. */
export class Floors {
  readonly versions: Versions
  readonly media: KeptMedia
  readonly goals: Goals
  readonly beliefs: Beliefs
  readonly links: EpisodeLinks
  readonly procedures: Procedures
  readonly atoms: Atoms
  readonly concepts: Concepts
  readonly conflicts: Conflicts
  readonly sensory: SensoryFloor
  readonly working: WorkingFloor
  readonly self: Self
  readonly translations: Translations
  readonly associations: AssociationFloor
  readonly documents: DocumentFloor
  readonly traces: AttentionTraces
  readonly exchanged: ExchangeRows
  readonly forgetting: Forgetting
  readonly #log = new LearningLog()
  readonly #kinds: RecordKinds
  /** The projections of each kind of record; of the events, the log first. */
  readonly #projections = new Map<RecordKind, Projection<unknown>[]>()
  readonly #writer: Writer
  readonly #services: Service[] = []
  readonly #context: MemoryContext
  readonly #learned: (logged: Logged, caller?: Caller) => void

  /**
   * @param parts loads what is not needed at once.
   * @param kinds the kinds of records that may be stored.
   * @param records what is stored, in ascending order of slot.
   * @param learned told of each event once it is durable and counts; without a caller where no call asked for it.
   * @throws AgidbError `AGIDB_NEWER_FORMAT` for a record of a kind that this version does not know.
   */
  constructor(
    context: Omit<MemoryContext, 'log' | 'told' | 'learn' | 'retract' | 'transact' | 'itemIndex'>,
    parts: FloorParts,
    writer: Writer,
    kinds: RecordKinds,
    records: readonly StoredRecord[],
    learned: (logged: Logged, caller?: Caller) => void = () => {},
    extensions: readonly Extension[] = [],
  ) {
    this.#learned = learned
    this.#writer = writer
    this.#kinds = kinds
    this.#context = {
      ...context,
      log: this.#log,
      told: () => toldNow(this.#services, this.#log.all(), goneFrom(context.indexes.catalog)),
      transact: (draft) => writer.transact(draft),
      itemIndex: (describe) => new ItemIndex(context.indexes, context.parts.time, describe),
      learn: (caller, draft) => this.#learn(caller, draft),
      retract: (ids, caller) => this.#retract(ids, caller),
    }
    const services = makeServices(this.#context, parts, (ids, reason, caller) =>
      this.forgetting.remove(ids, reason, caller),
    )
    this.versions = services.versions
    this.media = services.media
    this.goals = services.goals
    this.beliefs = services.beliefs
    this.links = services.links
    this.procedures = services.procedures
    this.atoms = services.atoms
    this.concepts = services.concepts
    this.conflicts = services.conflicts
    this.sensory = services.sensory
    this.working = services.working
    this.self = services.self
    this.translations = services.translations
    this.associations = services.associations
    this.documents = services.documents
    this.traces = services.traces
    this.exchanged = services.exchanged
    this.forgetting = new Forgetting(this.#context, this.#others(services), services.audits, parts.forgetting)
    this.#register({ projections: [ofEvents(this.#log)] })
    for (const service of Object.values(services)) this.#register(service)
    this.#register(this.forgetting)
    for (const { service } of extensions) if (service !== undefined) this.#register(service(this.#context))
    for (const record of records) this.#restore(record)
    writer.writeAlong((episodes) => this.#follow(episodes))
  }

  /** How much each floor holds. */
  get sizes(): Pick<Stats, 'versions' | 'atoms' | 'procedures' | 'goals' | 'beliefs' | 'events' | 'tombstones'> {
    const { versions, atoms, procedures, goals, beliefs } = this
    return {
      versions: versions.size,
      atoms: atoms.size,
      procedures: procedures.size,
      goals: goals.size,
      beliefs: beliefs.size,
      events: this.#context.told().length,
      tombstones: this.forgetting.size,
    }
  }

  /**
   * What the events are stored as where the ids of what is gone must not go: in an export.
   *
   * @param isLeftOut whether an episode that is there counts as gone, too. Default: none does.
   */
  withoutGone(isLeftOut: IsGone = () => false): Instead {
    const isGone = goneFrom(this.#context.indexes.catalog)
    return withoutGone(this.#services, this.#log.all(), (id, slot) => isGone(id, slot) || isLeftOut(id, slot))
  }

  /** The events that are stored, in order. */
  get log(): LearningLog {
    return this.#log
  }

  /** Bytes of memory beside the kernel's, about: what the floors hold, and what finds it. */
  get bytes(): number {
    return this.#all().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** What of the other floors bears on a cue. */
  async bearingOn(
    cue: string,
    asking: Omit<ItemQuery, 'k'>,
  ): Promise<Pick<Recall, 'semanticAtoms' | 'beliefs' | 'activeGoals' | 'procedures'>> {
    const most = { ...asking, k: BEARING }
    return {
      semanticAtoms: await this.atoms.bearingOn(cue, most),
      beliefs: await this.beliefs.bearingOn(cue, most),
      activeGoals: await this.goals.bearingOn(cue, most),
      procedures: await this.procedures.bearingOn(cue, most),
    }
  }

  /** Remembers that a recall was traced. Where nothing can be written any more the recall still answers. */
  async traced(
    event: Pick<LearningEvent<'attentionTraced'>, 'recall' | 'cue' | 'considered' | 'episodes'>,
    caller: Caller,
  ): Promise<void> {
    try {
      await this.#learn(caller, () => ({ events: [{ kind: 'attentionTraced', ...event }], result: () => undefined }))
    } catch (error) {
      if (!(error instanceof AgidbError && READ_ON.has(error.code))) throw error
    }
  }

  /** Learns what `draft` makes; see `MemoryContext.learn`. */
  learn<T>(caller: Caller, draft: (now: number) => Draft<T> | Promise<Draft<T>>): Promise<T> {
    return this.#learn(caller, draft)
  }

  /** Remembers an observation by which a frame in the buffer is promoted. */
  observeFrame(observation: Observation, frame: string, caller: Caller): Promise<EpisodeId> {
    return this.sensory.promote(observation, frame, caller)
  }

  free(): void {
    for (const projection of this.#all()) projection.free?.()
    this.translations.free()
  }

  /** What of the log is otherwise now that episodes changed; see `Service.rederive`. */
  async rederive(changed: readonly ChangedEpisode[]): Promise<Rederivation> {
    const rederived = await this.#rederived(changed)
    const { gone, made } = rederived
    const removals = removalsOf(this.#log, gone)
    return {
      records: [...removals, ...madeRecords(made)],
      done: (slots) => {
        for (const projection of this.#projections.get(learningEventKind) ?? []) projection.retract(gone)
        made.forEach(({ event, signature }, i) => {
          this.#apply(slots[removals.length + i], event, signature)
        })
      },
    }
  }

  /** Events that are learned along with changes of episodes, in the same commit. */
  along(drafted: readonly NewEvent[], caller: Caller): Rederivation {
    const { events, rows } = this.#made(drafted, this.#context.clock())
    return {
      records: rows,
      done: (slots) =>
        events.forEach((event, i) => {
          this.#apply(slots[i], event)
          this.#learned({ slot: slots[i], event }, caller)
        }),
    }
  }

  /** The episodes that were read with one of these before them; see `episodes/readings.ts`. */
  readWith(slots: readonly number[]): number[] {
    return readWith(this.#context, slots)
  }

  /** Reads episodes again that stand after others now; see `episodes/readings.ts`. */
  reread(slots: readonly number[], pending: Map<number, Episode>): Promise<RevisedEpisodes> {
    return reread(this.#context, slots, pending)
  }

  async #rederived(changed: readonly ChangedEpisode[]): Promise<Rederived> {
    const all: Rederived[] = []
    for (const service of this.#services) if (service.rederive !== undefined) all.push(await service.rederive(changed))
    return { gone: all.flatMap(({ gone }) => gone), made: all.flatMap(({ made }) => made) }
  }

  #register(service: Service): void {
    const { projections } = service
    this.#services.push(service)
    for (const { kind, projection } of projections) {
      const others = this.#projections.get(kind)
      if (others === undefined) this.#projections.set(kind, [projection])
      else others.push(projection)
    }
  }

  /** What forgetting asks of the other floors. */
  #others({ versions, media, beliefs, selfVector, sensory, traces }: ReturnType<typeof makeServices>): OtherFloors {
    return {
      frames: sensory.frames,
      versions,
      media,
      aliases: () => beliefs.aliases(),
      without: (isGone) => withoutGone(this.#services, this.#log.all(), isGone),
      rederive: (changed) => this.#rederived(changed),
      drift: (gone, made) => this.#context.indexes.kernel.hamming(selfVector.now, selfVector.replaced(gone, made)),
      make: (drafted, now) => {
        const { events, rows } = this.#made([drafted], now)
        return { event: events[0], row: rows[0] }
      },
      replace: (change, caller) => this.#replace(change, caller),
      forgetGone: () => traces.forgetGone(),
    }
  }

  /** Has the log and every floor take events out and in. */
  #replace({ gone, back, made, told }: LogChange, caller: Caller): void {
    const projections = this.#projections.get(learningEventKind) ?? []
    // Whatever comes back stands before others of its floor, which are therefore taken in again after it.
    const kinds = new Set(back.flatMap(({ event: { kind } }) => floorOf(kind)))
    const taken = new Set(gone)
    const again = this.#log.all().filter(({ event }) => kinds.has(event.kind) && !taken.has(event))
    const out = [...gone, ...again.map(({ event }) => event)]
    if (out.length > 0) for (const projection of projections) projection.retract(out)
    for (const { slot, event } of [...again, ...back].sort((a, b) => a.slot - b.slot)) this.#apply(slot, event)
    for (const { slot, event, signature } of made) this.#apply(slot, event, signature)
    for (const event of told) this.#learned({ slot: made.find((one) => one.event === event)!.slot, event }, caller)
  }

  #all(): Projection<unknown>[] {
    return [...this.#projections.values()].flat()
  }

  #restore({ slot, row, signature }: StoredRecord): void {
    const kind = this.#kinds.of(row)
    const record = kind.decode(row)
    for (const projection of this.#projections.get(kind) ?? []) projection.apply(record, slot, signature)
  }

  #retract(ids: readonly LearningEventId[], caller: Caller): Promise<void> {
    return this.#writer.transact(() => {
      const missing = ids.find((id) => !this.#log.has(id))
      if (missing !== undefined) {
        const what = JSON.stringify(missing)
        throw new AgidbError('AGIDB_NOT_FOUND', `there is no stored learning event with the id ${what}`, {
          id: missing,
        })
      }
      const gone = withDependents(this.#log.all(), new Set(ids))
      return {
        records: gone.map(({ slot, event: { id } }): RecordChange => ({ op: 'remove', slot, id })),
        receipt: { caller },
        done: () => {
          const events = gone.map(({ event }) => event)
          for (const projection of this.#projections.get(learningEventKind) ?? []) projection.retract(events)
        },
      }
    })
  }

  #learn<T>(caller: Caller, draft: (now: number) => Draft<T> | Promise<Draft<T>>): Promise<T> {
    return this.#writer.transact(async () => {
      const now = this.#context.clock()
      const drafted = await draft(now)
      const { signatures, episodes = [], perceived, media = [], records = [], answer, result } = drafted
      const { events, rows } = this.#made(drafted.events, now, signatures)
      return {
        episodes,
        perceived,
        records: [...media, ...rows, ...records],
        receipt: { caller, answer },
        done: (slots) => {
          const after = slots.slice(media.length)
          events.forEach((event, i) => {
            this.#apply(after[i], event, signatures?.get(drafted.events[i]))
            this.#learned({ slot: after[i], event }, caller)
          })
          return result(after.slice(events.length), slots.slice(0, media.length))
        },
      }
    })
  }

  /** The events that are drafted, with ids and times, and the rows in which they are stored. */
  #made(drafted: readonly NewEvent[], now: number, signatures?: ReadonlyMap<NewEvent, Uint8Array>) {
    const made = new Set<string>()
    const events = drafted.map((event): LearningEvent => {
      const id = this.#context.makeId('ev_', now, (id) => made.has(id) || this.#log.has(id))
      made.add(id)
      return { id, at: toIso(now), ...event } as LearningEvent
    })
    const rows = events.map(
      (event, i): RecordChange => ({
        op: 'put',
        id: event.id,
        row: learningEventKind.encode(event),
        signature: signatures?.get(drafted[i]),
      }),
    )
    return { events, rows }
  }

  /**
   * What new episodes do to the other floors, written with them; `undefined` where they cannot do anything.
   *
   * @throws AgidbError `AGIDB_NOT_FOUND` for a goal or belief that is not there.
   */
  #follow(episodes: readonly Episode[]): Promise<AlongRecords | undefined> | undefined {
    const now = this.#context.clock()
    const linked = this.links.drafted(episodes)
    const following = this.beliefs.follow(episodes, now)
    return linked.length === 0 && following === undefined ? undefined : this.#along(linked, following, now)
  }

  /** @param linked those of which subscribers are not told: they belong to the episodes. */
  async #along(
    linked: readonly NewEvent[],
    following: Promise<NewEvent[]> | undefined,
    now: number,
  ): Promise<AlongRecords | undefined> {
    const { events, rows } = this.#made([...linked, ...((await following) ?? [])], now)
    if (events.length === 0) return undefined
    const logged: Logged[] = []
    return {
      records: rows,
      done: (slots) => {
        for (const [i, event] of events.entries()) {
          this.#apply(slots[i], event)
          logged.push({ slot: slots[i], event })
        }
      },
      told: () => {
        for (const event of logged.slice(linked.length)) this.#learned(event)
      },
    }
  }

  #apply(slot: number, event: LearningEvent, signature?: Uint8Array): void {
    for (const projection of this.#projections.get(learningEventKind) ?? []) projection.apply(event, slot, signature)
  }
}

/** Kinds of events of which one floor makes what it knows, in their order. */
const FLOORS: readonly (readonly LearningKind[])[] = [
  ['goalSet', 'goalRevised', 'goalStateChanged'],
  ['beliefAsserted', 'beliefReasserted', 'beliefRevised', 'beliefWithdrawn'],
  ['conceptsMerged', 'conceptsSplit'],
  ['entriesChanged', 'entryLinked', 'entryUnlinked', 'entriesAccessed'],
  ['documentIngested', 'perspectiveDefined', 'perspectiveRemoved', 'agingConfigured'],
  ['procedureLearned', 'procedureRevised', 'procedureRetired', 'procedureExecuted'],
]

/** The kinds of events whose order matters to one of a kind. */
function floorOf(kind: LearningKind): readonly LearningKind[] {
  return FLOORS.find((kinds) => kinds.includes(kind)) ?? [kind]
}

/** Events by their ids, in order, with those about what they created. */
function withDependents(all: readonly Logged[], ids: ReadonlySet<LearningEventId>): Logged[] {
  const uncreated = new Set<string>()
  for (const { event } of all)
    if (ids.has(event.id) && kindOf(event)?.creates) for (const id of subjectsOf(event)) uncreated.add(id)
  return all.filter(({ event }) => ids.has(event.id) || subjectsOf(event).some((id) => uncreated.has(id)))
}
