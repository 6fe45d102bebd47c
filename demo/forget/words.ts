import type { CascadeNode, UnlearnCounts, UnlearnTargetKind } from '../../src/runtimes/browser/index.js'
import { counted } from '../format.js'

type Kind = CascadeNode['kind']
type Becomes = CascadeNode['becomes']

/** What the page calls the things of a cascade. */
const KINDS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  episode: ['memory', 'memories'],
  frame: ['perception', 'perceptions'],
  belief: ['belief', 'beliefs'],
  atom: ['piece of knowledge', 'pieces of knowledge'],
  procedure: ['procedure', 'procedures'],
  goal: ['goal', 'goals'],
  recall: ['traced recall', 'traced recalls'],
}

/** What becomes of them, where it is not simply what `BECOMES` says. */
const FATES: Partial<Record<Kind, Partial<Record<Becomes, string>>>> = {
  belief: { removed: 'held no more', changed: 'less evidence' },
  atom: { removed: 'known no more', changed: 'less support' },
  procedure: { changed: 'less evidence' },
  goal: { changed: 'less evidence' },
}
const BECOMES: Readonly<Record<Becomes, string>> = {
  removed: 'forgotten',
  changed: 'changed',
  revived: 'true again',
}

export const kindWords = (kind: Kind, number: number): string => counted(number, ...KINDS[kind])
export const kindName = (kind: Kind): string => (kind === 'atom' ? 'knowledge' : KINDS[kind][0])
export const fateOf = (kind: Kind, becomes: Becomes): string => FATES[kind]?.[becomes] ?? BECOMES[becomes]

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

/** The numbers of an unlearning in words, those that are not 0. */
export function countsInWords(counts: UnlearnCounts): string[] {
  return COUNTED.flatMap(([name, one, many]) => (counts[name] === 0 ? [] : [counted(counts[name], one, many)]))
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
  filter: 'What a filter lets pass',
  all: 'All there was',
}
