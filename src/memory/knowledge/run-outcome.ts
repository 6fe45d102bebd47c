import type { AtomId, ConsolidateOptions, Contradiction } from '../../api/atom.js'
import type { EpisodeId } from '../../api/episode.js'
import { textSignature } from '../../encoding/text.js'
import type { NewEvent } from '../../records/event-log.js'
import type { MemoryContext } from '../context.js'
import type { SelfVector } from '../self/self-vector.js'
import { MIN_SUPPORT } from './finder.js'
import type { AtomTable } from './projection.js'

/** What a run that came to its end is remembered by, beside what it found. */
export interface RunCounts {
  readonly episodes: number
  readonly through: EpisodeId | undefined
  readonly upTo: number
  readonly atomsFormed: number
  readonly atomsRevised: number
  readonly batches: readonly { readonly upTo: number; readonly at: string }[]
  readonly decays: number | undefined
  readonly options: Pick<ConsolidateOptions, 'minSupport' | 'functionalPredicates'>
}

/** The events with which a run ends, in order, and the hypervector of its epoch. */
export interface RunOutcome {
  readonly events: readonly NewEvent[]
  readonly signatures: ReadonlyMap<NewEvent, Uint8Array>
  readonly drift: number
}

/**
 * The events with which a run ends: its contradictions, an epoch of the self-vector, and that there was a run.
 *
 * @param bundle what was consolidated as one hypervector; absent where no atom changed.
 */
export function outcomeOf(
  { indexes: { kernel } }: Pick<MemoryContext, 'indexes'>,
  selfVector: SelfVector,
  contradictions: readonly Contradiction[],
  changed: readonly AtomId[],
  bundle: Uint8Array | undefined,
  { episodes, through, upTo, atomsFormed, atomsRevised, batches, decays, options }: RunCounts,
): RunOutcome {
  const drift = bundle === undefined ? 0 : kernel.hamming(selfVector.now, selfVector.after(bundle))
  const events: NewEvent[] = contradictions.map((contradiction) => ({
    kind: 'contradictionDetected',
    ...contradiction,
  }))
  const signatures = new Map<NewEvent, Uint8Array>()
  if (bundle !== undefined) {
    const updated: NewEvent = { kind: 'selfVectorUpdated', epoch: selfVector.epochs + 1, drift, atoms: changed }
    events.push(updated)
    signatures.set(updated, bundle)
  }
  const { minSupport = MIN_SUPPORT, functionalPredicates = [] } = options
  const isIdle = episodes + contradictions.length + changed.length === 0 && through === undefined
  events.push({
    kind: 'consolidationRun',
    episodes,
    ...(through !== undefined && { through }),
    upTo,
    atomsFormed,
    atomsRevised,
    contradictions: contradictions.length,
    ...(minSupport !== MIN_SUPPORT && { minSupport }),
    ...(functionalPredicates.length > 0 && { functionalPredicates }),
    ...(batches.length > 1 && { batches }),
    ...(decays !== undefined && { decays }),
    ...(isIdle && { isIdle }),
  })
  return { events, signatures, drift }
}

/**
 * What was consolidated as one hypervector: the bundle of the atoms' signatures, sorted by id; of their triples, or of
 * their words where they have none. `undefined` where none of the atoms is there.
 */
export async function bundleOf(
  { indexes: { kernel, records } }: Pick<MemoryContext, 'indexes'>,
  atoms: AtomTable,
  ids: readonly AtomId[],
  breathe: () => Promise<void>,
): Promise<Uint8Array | undefined> {
  const signatures: Uint8Array[] = []
  const weights: number[] = []
  for (const id of ids) {
    const atom = atoms.get(id)
    if (atom === undefined) continue // retracted since
    const { statement, triple, episodes } = atom
    const signature = (triple && records.signature([triple])) ?? textSignature(kernel, statement)
    // Its words as well, so that a text can be like it.
    for (const one of triple === undefined ? [signature] : [signature, textSignature(kernel, statement)]) {
      signatures.push(one)
      weights.push(episodes.size)
    }
    if (signatures.length % 16 === 0) await breathe()
  }
  return signatures.length === 0 ? undefined : kernel.bundle(signatures, Int32Array.from(weights))
}
