import { FIELD_LIMITS } from '../../api/field-limits.js'
import { list, maybe, name, names, object, oneOf, pair, string, time, triple, whole } from '../shapes.js'
import { type EventKind, stored } from './event-kind.js'

const { atom, run } = FIELD_LIMITS

/** Episodes that say the same were joined into a semantic atom. */
export const semanticAtomFormed: EventKind<'semanticAtomFormed'> = {
  wording: ['formed', 'semantic atom', 'semantic atoms'],
  shape: stored({
    atom: name,
    statement: string(atom.statement),
    triple: maybe(triple),
    episodes: names(atom.episodes),
    upTo: whole,
  }),
  subjects: ({ atom }) => [atom],
  references: ({ episodes }) => episodes,
  moved: (event, slotOf) => ({ ...event, upTo: slotOf(event.upTo) }),
}

/** More episodes joined an atom. */
export const semanticAtomRevised: EventKind<'semanticAtomRevised'> = {
  wording: ['made', 'revision of a semantic atom', 'revisions of semantic atoms'],
  shape: stored({ atom: name, episodes: names(atom.episodes), upTo: whole }),
  subjects: ({ atom }) => [atom],
  references: ({ episodes }) => episodes,
  moved: (event, slotOf) => ({ ...event, upTo: slotOf(event.upTo) }),
}

/** Two atoms were found that cannot both be true. */
export const contradictionDetected: EventKind<'contradictionDetected'> = {
  wording: ['found', 'contradiction', 'contradictions'],
  shape: stored({
    atoms: pair(name),
    subject: string('nameBytes'),
    predicate: string('nameBytes'),
    objects: pair(string('nameBytes')),
  }),
  subjects: ({ atoms }) => atoms,
  references: () => [],
}

/** A consolidation came to its end. */
export const consolidationRun: EventKind<'consolidationRun'> = {
  wording: ['ran', 'consolidation', 'consolidations'],
  shape: stored({
    episodes: whole,
    through: maybe(name),
    upTo: whole,
    atomsFormed: whole,
    atomsRevised: whole,
    contradictions: whole,
    minSupport: maybe(whole),
    functionalPredicates: maybe(names(run.functionalPredicates)),
    batches: maybe(list(object({ upTo: whole, at: time }), run.batches)),
    decays: maybe(whole),
    isIdle: maybe(oneOf(true)),
  }),
  subjects: () => [],
  references: ({ through }) => [through],
  moved: (event, slotOf) => ({
    ...event,
    upTo: slotOf(event.upTo),
    ...(event.decays !== undefined && { decays: slotOf(event.decays) }),
    ...(event.batches && { batches: event.batches.map(({ upTo, at }) => ({ upTo: slotOf(upTo), at })) }),
  }),
}
