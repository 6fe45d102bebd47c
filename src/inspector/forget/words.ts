import type { CascadeNode, UnlearnCounts, UnlearnTargetKind } from '../../api/forgetting.js'
import { counted } from '../dom/format.js'

type Kind = CascadeNode['kind']
type Becomes = CascadeNode['becomes']

const KINDS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  episode: ['memory', 'memories'],
  frame: ['perception', 'perceptions'],
  belief: ['belief', 'beliefs'],
  atom: ['piece of knowledge', 'pieces of knowledge'],
  procedure: ['procedure', 'procedures'],
  goal: ['goal', 'goals'],
  recall: ['traced recall', 'traced recalls'],
}

/** `2 beliefs`. */
export const kindWords = (kind: Kind, many: number): string => counted(many, ...KINDS[kind])

/** What becomes of things. */
export function fateOf(kind: Kind, becomes: Becomes): string {
  if (becomes === 'revived') return 'true again, since what replaced it goes'
  if (becomes === 'changed') return 'stays, with less evidence'
  return kind === 'belief' ? 'held no more' : 'forgotten'
}

const COUNTED: readonly (readonly [keyof UnlearnCounts, one: string, many: string])[] = [
  ['episodesRemoved', 'memory', 'memories'],
  ['framesRemoved', 'perception', 'perceptions'],
  ['beliefsRemoved', 'belief that is held no more', 'beliefs that are held no more'],
  ['beliefsRevised', 'belief with less evidence', 'beliefs with less evidence'],
  ['semanticAtomsAffected', 'piece of knowledge changed or gone', 'pieces of knowledge changed or gone'],
  ['proceduresAffected', 'procedure changed or gone', 'procedures changed or gone'],
  ['goalsAffected', 'goal changed or gone', 'goals changed or gone'],
  ['tracesRemoved', 'traced recall', 'traced recalls'],
  ['episodesRevived', 'memory true again', 'memories true again'],
]

/** The numbers of an unlearning in words, those that are not 0: `1 memory, 2 beliefs with less evidence`. */
export function countsInWords(counts: UnlearnCounts): string {
  return COUNTED.flatMap(([name, one, many]) => (counts[name] === 0 ? [] : [counted(counts[name], one, many)])).join(
    ', ',
  )
}

/** What was forgotten, as far as the permanent record says. */
export const TARGETS: Readonly<Record<UnlearnTargetKind, string>> = {
  episode: 'Chosen memories',
  belief: 'A belief',
  concept: 'All about something',
  source: 'A source',
  session: 'A conversation',
  speaker: 'A speaker',
  pattern: 'Statements',
  filter: 'What a filter let pass',
  all: 'All there was',
}
