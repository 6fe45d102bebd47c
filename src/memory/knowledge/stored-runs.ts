import type { LearningKind } from '../../api/learning.js'
import type { Logged } from '../../records/event-log.js'

/** What is stored of one batch of a run. */
export interface StoredBatch {
  /** It looked at the slots after `after`, up to `upTo`. */
  readonly after: number
  readonly upTo: number
  /** When it was learned. */
  readonly at: string
  readonly events: readonly Logged[]
}

/** What is stored of one run, in order. */
export interface StoredRun {
  /** That there was a run; absent for one that did not come to its end. */
  readonly run?: Logged<'consolidationRun'>
  readonly batches: readonly StoredBatch[]
  /** Its contradictions, its epoch of the self-vector, and `run`. */
  readonly outcome: readonly Logged[]
}

type AtomEvent = 'semanticAtomFormed' | 'semanticAtomRevised'

/** The runs of which events tell, in the order of the slots that they looked at. */
export function storedRuns(logged: Iterable<Logged>): StoredRun[] {
  const [atoms, runs, found]: [Logged<AtomEvent>[], Logged<'consolidationRun'>[], Logged[]] = [[], [], []]
  for (const one of logged) {
    if (isOf(one, 'semanticAtomFormed') || isOf(one, 'semanticAtomRevised')) atoms.push(one)
    else if (isOf(one, 'consolidationRun')) runs.push(one)
    else if (isOf(one, 'contradictionDetected') || isOf(one, 'selfVectorUpdated')) found.push(one)
  }
  atoms.sort((a, b) => a.event.upTo - b.event.upTo || a.slot - b.slot)
  runs.sort((a, b) => a.event.upTo - b.event.upTo || a.slot - b.slot)
  found.sort((a, b) => a.slot - b.slot)
  const outcomes = outcomesOf(runs, found)
  const all: StoredRun[] = []
  let [next, after] = [0, -1]
  for (const run of runs) {
    const start = next
    while (next < atoms.length && atoms[next].event.upTo <= run.event.upTo) next++
    const batches = batchesOf(atoms.slice(start, next), after, run)
    all.push({ run, batches, outcome: [...(outcomes.get(run) ?? []), run] })
    after = Math.max(after, run.event.upTo)
  }
  if (next < atoms.length) all.push({ batches: batchesOf(atoms.slice(next), after), outcome: [] })
  return all
}

/** What each run found at its end: events of its time that are stored before it. */
function outcomesOf(
  runs: readonly Logged<'consolidationRun'>[],
  found: readonly Logged[],
): Map<Logged<'consolidationRun'>, Logged[]> {
  const outcomes = new Map<Logged<'consolidationRun'>, Logged[]>()
  const byTime = new Map<string, Logged<'consolidationRun'>[]>()
  for (const run of runs) byTime.set(run.event.at, [...(byTime.get(run.event.at) ?? []), run])
  for (const one of found) {
    const candidates = (byTime.get(one.event.at) ?? []).filter(({ slot }) => slot > one.slot)
    const [run] = candidates.sort((a, b) => a.slot - b.slot)
    if (run !== undefined) outcomes.set(run, [...(outcomes.get(run) ?? []), one])
  }
  return outcomes
}

/**
 * The batches of a run that began after a slot. What an older version stored does not say how far those went that found
 * nothing: they count as part of the next one.
 */
function batchesOf(
  events: readonly Logged<AtomEvent>[],
  after: number,
  run?: Logged<'consolidationRun'>,
): StoredBatch[] {
  const ends = new Map<number, string>()
  if (run !== undefined) ends.set(run.event.upTo, run.event.at)
  for (const { upTo, at } of run?.event.batches ?? []) ends.set(upTo, at)
  const own = new Map<number, Logged[]>()
  for (const one of events) {
    const { upTo, at } = one.event
    ends.set(upTo, at)
    const others = own.get(upTo)
    if (others === undefined) own.set(upTo, [one])
    else others.push(one)
  }
  const batches: StoredBatch[] = []
  for (const upTo of [...ends.keys()].filter((upTo) => upTo > after).sort((a, b) => a - b))
    batches.push({ after: batches.at(-1)?.upTo ?? after, upTo, at: ends.get(upTo)!, events: own.get(upTo) ?? [] })
  return batches
}

function isOf<K extends LearningKind>(one: Logged, kind: K): one is Logged<K> {
  return one.event.kind === kind
}
