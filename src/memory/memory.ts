import type { Stats } from '../api/stats.js'
import type { Caller } from '../api/caller.js'
import type { Episode, EpisodeId, Observation } from '../api/episode.js'
import type { LearningEvent } from '../api/learning.js'
import type { Recall } from '../api/recall.js'
import { AgidbError, type ErrorCode } from '../base/errors.js'
import { toIso } from '../api/time.js'
import { learningEventKind } from '../records/kinds/learning-event.js'
import { sensoryFrameKind } from '../records/kinds/sensory-frame.js'
import { RECORD_KINDS } from '../records/registry.js'
import { LearningLog, type Logged, type NewEvent } from '../records/event-log.js'
import type { StoredRecord } from '../records/stored-record.js'
import type { RecordChange } from '../write/record-change.js'
import type { AlongRecords, Writer } from '../write/writer.js'
import { Atoms } from './knowledge/atoms.js'
import { Beliefs } from './beliefs/beliefs.js'
import { Goals } from './goals/goals.js'
import { Procedures } from './procedures/procedures.js'
import { Self } from './self/self.js'
import { SensoryFloor } from './sensory/sensory.js'
import type { Draft, Projection, MemoryContext } from './context.js'
import { type ItemQuery, ItemIndex } from './item-index.js'
import { WorkingFloor } from './working/working.js'

/** Items of a floor that a recall returns beside the matches, at most. */
const BEARING = 10

/** With these a database can still be read. */
const READ_ON: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['AGIDB_QUOTA', 'AGIDB_STORAGE'])

/** The floors beside the episodes: one log of learning events, and what each floor makes of it. */
export class Floors {
  readonly goals: Goals
  readonly beliefs: Beliefs
  readonly procedures: Procedures
  readonly atoms: Atoms
  readonly sensory: SensoryFloor
  readonly working: WorkingFloor
  readonly self: Self
  readonly #log = new LearningLog()
  readonly #floors: readonly Projection[]
  readonly #writer: Writer
  readonly #context: MemoryContext
  readonly #learned: (logged: Logged, caller?: Caller) => void

  /**
   * @param records what is stored, in ascending order of slot.
   * @param learned told of each event once it is durable and counts; without a caller where no call asked for it.
   */
  constructor(
    context: Omit<MemoryContext, 'log' | 'learn' | 'itemIndex'>,
    writer: Writer,
    records: readonly StoredRecord[],
    learned: (logged: Logged, caller?: Caller) => void = () => {},
  ) {
    this.#learned = learned
    this.#writer = writer
    this.#context = {
      ...context,
      log: this.#log,
      itemIndex: (describe) => new ItemIndex(context.indexes, describe),
      learn: (caller, draft) => this.#learn(caller, draft),
    }
    this.goals = new Goals(this.#context)
    this.beliefs = new Beliefs(this.#context)
    this.procedures = new Procedures(this.#context)
    this.self = new Self(this.#context, { atoms: () => this.atoms.standing(), belief: (id) => this.beliefs.claim(id) })
    this.atoms = new Atoms(this.#context, this.self)
    this.sensory = new SensoryFloor(this.#context, this.goals, this.beliefs)
    this.working = new WorkingFloor(this.#context, this.goals)
    this.#floors = [this.goals, this.beliefs, this.procedures, this.atoms, this.self, this.sensory]
    for (const record of records) this.#restore(record)
    writer.writeAlong((episodes) => this.#follow(episodes))
  }

  /** How much each floor holds. */
  get sizes(): Pick<Stats, 'atoms' | 'procedures' | 'goals' | 'beliefs' | 'events'> {
    const { atoms, procedures, goals, beliefs } = this
    return {
      atoms: atoms.size,
      procedures: procedures.size,
      goals: goals.size,
      beliefs: beliefs.size,
      events: this.#log.size,
    }
  }

  /** Bytes of memory beside the kernel's, about: what the floors hold, and what finds it. */
  get bytes(): number {
    return this.#floors.reduce((sum, { bytes }) => sum + bytes, this.#log.bytes)
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

  /** Remembers an observation by which a frame in the buffer is promoted. */
  observeFrame(observation: Observation, frame: string, caller: Caller): Promise<EpisodeId> {
    return this.sensory.promote(observation, frame, caller)
  }

  free(): void {
    for (const floor of this.#floors) floor.free?.()
  }

  #restore({ slot, id, row, signature }: StoredRecord): void {
    const kind = RECORD_KINDS.of(row)
    if (kind === sensoryFrameKind) this.sensory.restore(slot, id, row)
    else if (kind === learningEventKind) this.#apply(slot, learningEventKind.decode(row), signature)
  }

  #learn<T>(caller: Caller, draft: (now: number) => Draft<T> | Promise<Draft<T>>): Promise<T> {
    return this.#writer.transact(async () => {
      const now = this.#context.clock()
      const { events: drafted, signatures, episodes = [], records = [], answer, result } = await draft(now)
      const { events, rows } = this.#made(drafted, now, signatures)
      return {
        episodes,
        records: [...rows, ...records],
        receipt: { caller, answer },
        done: (slots) => {
          events.forEach((event, i) => {
            this.#apply(slots[i], event, signatures?.get(drafted[i]))
            this.#learned({ slot: slots[i], event }, caller)
          })
          return result(slots.slice(events.length))
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

  /** What new episodes do to the other floors, written with them. */
  #follow(episodes: readonly Episode[]): Promise<AlongRecords | undefined> | undefined {
    const now = this.#context.clock()
    return this.beliefs.follow(episodes, now)?.then((drafted) => {
      if (drafted.length === 0) return undefined
      const { events, rows } = this.#made(drafted, now)
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
          for (const event of logged) this.#learned(event)
        },
      }
    })
  }

  #apply(slot: number, event: LearningEvent, signature?: Uint8Array): void {
    this.#log.append(slot, event)
    for (const floor of this.#floors) floor.apply({ slot, event }, signature)
  }
}
