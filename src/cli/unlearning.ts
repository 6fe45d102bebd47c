import type { CascadeGraph, UnlearnCounts } from '../api/forgetting.js'
import { printable, type Terminal } from './terminal.js'

/** What is counted of an unlearning, in words, in the order in which it is shown. */
const COUNTED: Readonly<Record<keyof UnlearnCounts, readonly [one: string, many: string]>> = {
  episodesRemoved: ['memory', 'memories'],
  framesRemoved: ['sensory frame', 'sensory frames'],
  beliefsRemoved: ['belief that is held no more', 'beliefs that are held no more'],
  beliefsRevised: ['belief with less evidence', 'beliefs with less evidence'],
  semanticAtomsAffected: ['atom changed or gone', 'atoms changed or gone'],
  proceduresAffected: ['procedure changed or gone', 'procedures changed or gone'],
  goalsAffected: ['goal changed or gone', 'goals changed or gone'],
  tracesRemoved: ['traced recall', 'traced recalls'],
  episodesRevived: ['memory that nothing replaces any more', 'memories that nothing replaces any more'],
  signaturesInvalidated: ['signature', 'signatures'],
}
/** Dependents that are listed at most; `--json` lists up to 10,000. */
const LISTED = 40

/** A line for each number of an unlearning that is not 0. */
export function countLines(counts: UnlearnCounts, { style }: Terminal): string[] {
  const told = Object.entries(COUNTED).map(([count, words]) => [counts[count as keyof UnlearnCounts], words] as const)
  return told
    .filter(([number]) => number > 0)
    .map(([number, [one, many]]) => {
      return `${style('bold', number.toLocaleString('en').padStart(9))}  ${number === 1 ? one : many}`
    })
}

/** A line for each thing that rests on what is forgotten: what it is, its id, and what becomes of it. */
export function dependentLines({ nodes, edges }: CascadeGraph, { style }: Terminal): string[] {
  const support = new Map<string, number>()
  for (const { from } of edges) support.set(from, (support.get(from) ?? 0) + 1)
  const dependents = nodes.filter(({ id, kind }) => kind !== 'episode' || support.has(id))
  const lines = dependents.slice(0, LISTED).map(({ id, kind, becomes }) => {
    const rests = support.get(id) ?? 0
    const why = kind === 'episode' ? 'nothing replaces it any more' : rests === 0 ? '' : `rests on ${rests} of them`
    return `  ${kind.padEnd(9)}  ${style('cyan', printable(id))}  ${[becomes, why].filter(Boolean).join(', ')}`
  })
  const left = dependents.length - lines.length
  return left === 0 ? lines : [...lines, style('dim', `  … and ${left.toLocaleString('en')} more; --json lists them`)]
}
