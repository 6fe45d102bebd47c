import type { LearningEvent } from '../../api/learning.js'
import { conceptKey } from '../../encoding/concept.js'
import type { Logged, NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import type { ChangedEpisode, MadeEvent, Rederived } from '../projection.js'
import { Relations } from '../relations.js'
import type { SelfVector } from '../self/self-vector.js'
import { type Affected, affectedBy } from './affected.js'
import { findContradictions } from './contradictions.js'
import { MIN_SUPPORT, StatementFinder } from './finder.js'
import type { LastingStatements } from './lasting-statements.js'
import { AtomTable } from './projection.js'
import type { SimilarTexts } from './similar-texts.js'
import { bundleOf, outcomeOf } from './run-outcome.js'
import { type StoredBatch, type StoredRun, storedRuns } from './stored-runs.js'
import { greatest, least } from '../../base/extremes.js'
import { sameBytes } from '../../base/same-bytes.js'

/** An event as the episodes that are there have it. */
interface Expected {
  readonly at: string
  readonly event: NewEvent
  readonly signature?: Uint8Array
  /** The stored event that it is, where it was not looked at again. */
  readonly kept?: LearningEvent
}

/**
 * Replays the consolidations over the episodes that are there, from the first run on that looked at one which came or
 * went, and answers in what the stored events differ. Of each batch the affected episodes are looked at again, with the
 * codebook that is there now. The rest is taken from what is stored.
 */
export async function rederive(
  context: MemoryContext,
  atoms: AtomTable,
  texts: SimilarTexts,
  lasting: LastingStatements,
  selfVector: SelfVector,
  changed: readonly ChangedEpisode[],
  breathe: () => Promise<void>,
): Promise<Rederived> {
  const slots = changed.map(({ slot }) => slot)
  const doubt = () => {
    texts.doubt(slots)
    lasting.doubt(slots)
  }
  doubt()
  try {
    return await replay(context, atoms, texts, lasting, selfVector, changed, breathe)
  } finally {
    // They are as they were before if the commit fails.
    doubt()
  }
}

async function replay(
  context: MemoryContext,
  atoms: AtomTable,
  texts: SimilarTexts,
  lasting: LastingStatements,
  selfVector: SelfVector,
  changed: readonly ChangedEpisode[],
  breathe: () => Promise<void>,
): Promise<Rederived> {
  const runs = storedRuns(context.log.all())
  const last = greatest([-1, ...runs.map(lastOf)])
  const looked = changed.filter(({ slot }) => slot <= last)
  if (looked.length === 0) return { gone: [], made: [] }
  const affected = await affectedBy(context, atoms, texts, lasting, looked, last, breathe)
  const replay = new Replay(context, texts, lasting, selfVector, affected, breathe)
  const first = least(looked.map(({ slot }) => slot))
  const stored: Logged[] = []
  const expected: Expected[] = []
  for (const run of runs) {
    const before = [...run.batches.flatMap(({ events }) => events), ...run.outcome]
    if (lastOf(run) < first) replay.keep(before)
    else {
      for (const event of before) stored.push(event)
      for (const event of await replay.run(run)) expected.push(event)
    }
  }
  return difference(context, selfVector, stored, expected)
}

function lastOf({ batches, run }: StoredRun): number {
  return run?.event.upTo ?? batches.at(-1)!.upTo
}

/** What the atoms and the self-vector were from run to run. */
class Replay {
  readonly #context: MemoryContext
  readonly #stored: SelfVector
  readonly #affected: Affected
  readonly #breathe: () => Promise<void>
  readonly #atoms = new AtomTable()
  readonly #selfVector: SelfVector
  readonly #finder: StatementFinder

  constructor(
    context: MemoryContext,
    texts: SimilarTexts,
    lasting: LastingStatements,
    stored: SelfVector,
    affected: Affected,
    breathe: () => Promise<void>,
  ) {
    this.#context = context
    this.#stored = stored
    this.#affected = affected
    this.#breathe = breathe
    this.#selfVector = stored.blank()
    this.#finder = new StatementFinder(context, this.#atoms, texts, lasting, breathe)
  }

  /** Takes in a run that stays as it is. */
  keep(events: readonly Logged[]): void {
    for (const { event, slot } of events) {
      this.#atoms.apply(event, slot)
      const bundle = this.#stored.bundleOf(event)
      if (bundle !== undefined) this.#selfVector.take(bundle, Date.parse(event.at))
    }
  }

  /** The events of a run, in order. */
  async run({ run, batches, outcome }: StoredRun): Promise<Expected[]> {
    const expected: Expected[] = []
    const [formed, revised] = [new Set<string>(), new Set<string>()]
    const slots: number[] = []
    for (const batch of batches) {
      for (const slot of this.#live(batch)) slots.push(slot)
      for (const one of await this.#look(batch, run?.event.minSupport)) {
        const { event } = one
        if (event.kind === 'semanticAtomFormed') formed.add(event.atom)
        else if (event.kind === 'semanticAtomRevised' && !formed.has(event.atom)) revised.add(event.atom)
        expected.push(one)
      }
    }
    if (run === undefined) return expected
    const { at, upTo, functionalPredicates, minSupport } = run.event
    const changed = this.#atoms.changed
    const through = slots.at(-1)
    const { events, signatures } = outcomeOf(
      this.#context,
      this.#selfVector,
      await this.#contradictions(run, outcome),
      changed,
      await this.#bundle(outcome, changed),
      {
        episodes: slots.length,
        through: through === undefined ? undefined : this.#context.indexes.catalog.id(through),
        upTo,
        atomsFormed: formed.size,
        atomsRevised: revised.size,
        batches: run.event.batches ?? [],
        decays: run.event.decays,
        options: { minSupport, functionalPredicates },
      },
    )
    for (const event of events) {
      const signature = signatures.get(event)
      if (signature !== undefined) this.#selfVector.take(signature, Date.parse(at))
      this.#atoms.apply(stamped(event, '', at), upTo + 1)
      expected.push({ at, event, ...(signature && { signature }) })
    }
    return expected
  }

  #live({ after, upTo }: StoredBatch): number[] {
    const live: number[] = []
    for (const slot of this.#context.indexes.catalog.slots(after + 1)) {
      if (slot > upTo) break
      live.push(slot)
    }
    return live
  }

  /** The events of a batch; from here on the atoms have them. */
  async #look({ after, upTo, at, events }: StoredBatch, minSupport = MIN_SUPPORT): Promise<Expected[]> {
    const take = (event: LearningEvent) => this.#atoms.apply(event, upTo + 1)
    const all: Expected[] = []
    for (const { event } of events) {
      if (this.#affected.isOf(event)) continue
      take(event)
      all.push({ at, event: contentOf(event), kept: event })
    }
    const slots = this.#affected.slots.slice(
      firstAfter(this.#affected.slots, after),
      firstAfter(this.#affected.slots, upTo),
    )
    if (slots.length === 0) return all
    const batch = await this.#finder.look(slots, minSupport, this.#affected.ends)
    for (const event of batch.events(upTo)) {
      take(stamped(event, '', at))
      all.push({ at, event })
    }
    return all.sort((a, b) => (placeOf(a.event) < placeOf(b.event) ? -1 : 1))
  }

  async #contradictions({ event: run }: Logged<'consolidationRun'>, outcome: readonly Logged[]) {
    const { indexes } = this.#context
    const { subjects } = this.#affected
    const kept = outcome.flatMap(({ event }) => {
      if (event.kind !== 'contradictionDetected' || subjects.has(conceptKey(event.subject))) return []
      const { atoms, subject, predicate, objects } = event
      return { atoms, subject, predicate, objects }
    })
    if (subjects.size === 0) return kept
    const relations = new Relations(indexes, run.functionalPredicates)
    const where = { endsKnown: Date.parse(run.at), subjects }
    const found = await findContradictions(indexes.catalog, this.#atoms, relations, this.#breathe, where)
    return [...kept, ...found].sort((a, b) => (a.atoms.join() < b.atoms.join() ? -1 : 1))
  }

  /**
   * The bundle of the atoms that changed: the stored one where it is of the same atoms and none of them is affected.
   */
  async #bundle(outcome: readonly Logged[], changed: readonly string[]): Promise<Uint8Array | undefined> {
    if (changed.length === 0) return undefined
    const stored = outcome.find(({ event }) => event.kind === 'selfVectorUpdated')?.event
    const isSame =
      stored?.kind === 'selfVectorUpdated' &&
      stored.atoms.join() === changed.join() &&
      !changed.some((id) => this.#affected.has(this.#atoms.get(id)!))
    if (isSame) return this.#stored.bundleOf(stored)
    return bundleOf(this.#context, this.#atoms, changed, this.#breathe)
  }
}

/** How many of some slots, which are ascending, are not after one. */
function firstAfter(slots: readonly number[], after: number): number {
  let [low, high] = [0, slots.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (slots[middle] <= after) low = middle + 1
    else high = middle
  }
  return low
}

/** By what the events of a batch are sorted; see `Batch.events`. */
function placeOf(event: NewEvent): string {
  return 'atom' in event ? `${event.kind} ${event.atom}` : ''
}

/**
 * In what stored events differ from what is expected. Of the events of one time those keep their place that stand
 * before the first difference, so that all stay in order.
 */
function difference(
  { clock, log, makeId }: MemoryContext,
  selfVector: SelfVector,
  stored: readonly Logged[],
  expected: readonly Expected[],
): Rederived {
  const isSame = (event: LearningEvent, { event: wanted, signature, kept }: Expected) => {
    if (kept === event) return true
    if (canonical(contentOf(event)) !== canonical(wanted)) return false
    return signature === undefined || sameBytes(signature, selfVector.bundleOf(event))
  }
  const before = new Map<string, Logged[]>()
  for (const one of [...stored].sort((a, b) => a.slot - b.slot)) {
    const others = before.get(one.event.at)
    if (others === undefined) before.set(one.event.at, [one])
    else others.push(one)
  }
  const kept = new Map<string, number>()
  const differing = new Set<string>()
  const made: MadeEvent[] = []
  const now = clock()
  const ids = new Set<string>()
  for (const one of expected) {
    const { at, event, signature } = one
    const next = kept.get(at) ?? 0
    const old = before.get(at)?.[next]
    if (!differing.has(at) && old !== undefined && isSame(old.event, one)) {
      kept.set(at, next + 1)
      continue
    }
    differing.add(at)
    const id = makeId('ev_', now, (id) => ids.has(id) || log.has(id))
    ids.add(id)
    made.push({ event: stamped(event, id, at), ...(signature && { signature }) })
  }
  const gone = [...before].flatMap(([at, events]) => events.slice(kept.get(at) ?? 0).map(({ event }) => event))
  return { gone, made }
}

function stamped(event: NewEvent, id: string, at: string): LearningEvent {
  return { id, at, ...event } as LearningEvent
}

/** What an event tells, without its id and time. */
function contentOf({ id: _, at: __, ...content }: LearningEvent): NewEvent {
  return content as NewEvent
}

/** The same text for the same content. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
