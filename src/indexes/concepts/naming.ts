import type { Episode } from '../../api/episode.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import { identityOf } from '../../extraction/concepts/identity.js'
import { type NamePair, statedAliases } from '../../extraction/concepts/stated-aliases.js'

/** What an episode says of names. */
export interface Naming {
  /** What its statements and its entities name, as it is written. */
  readonly names: readonly string[]
  /** Of names what they are names of: `person`, `place`. */
  readonly types: readonly (readonly [type: string, name: string])[]
  /** Names that it says are of one thing. */
  readonly pairs: readonly NamePair[]
}

/** Types of entities that are values, not things. */
const VALUES: ReadonlySet<string> = new Set(['date', 'time', 'duration', 'number', 'money', 'quantity', 'percent'])

/** Reads what an episode says of names. What was superseded gives no other names any more. */
export function namingOf(episode: Episode): Naming {
  const { text, speaker, triples, extraction, superseded } = episode
  const entities = (extraction?.entities ?? []).filter(({ type }) => !VALUES.has(type))
  const pairs = superseded === undefined ? [...statedAliases(text, speaker), ...statedBy(episode)] : []
  const names = new Set([
    ...triples.flatMap(({ subject, object }) => [subject, object]),
    ...entities.map(({ text }) => text),
    ...pairs.flat(),
  ])
  return {
    names: [...names].map((name) => name.trim()).filter((name) => name !== ''),
    types: entities.map(({ type, text }) => [type, text.trim()] as const),
    pairs,
  }
}

function statedBy({ triples }: Episode): NamePair[] {
  return triples.filter(isAlias).flatMap(({ subject, object }): NamePair[] => {
    return identityOf(subject) === identityOf(object) ? [] : [[subject.trim(), object.trim()]]
  })
}
