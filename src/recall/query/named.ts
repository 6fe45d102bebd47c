import { conceptKey } from '../../encoding/concept.js'
import type { Indexes } from '../../indexes/indexes.js'

/** What a cue names: each concept by the keys that statements have for it, under any of its names. */
export interface NamedInCue {
  readonly concepts: readonly (readonly string[])[]
  /** The speakers that are one of these concepts. */
  readonly speakers: ReadonlySet<string>
}

/** Looks for the names of concepts in a cue: "Mel" names Melanie where they are one. */
export function namedIn({ concepts, conceptNames, catalog }: Indexes, cue: string): NamedInCue {
  const found: string[][] = []
  const speakers = new Set<string>()
  const known = new Set<string>()
  for (const keys of conceptNames.mentioned(cue)) {
    const spellings = conceptNames.spellings(keys)
    for (const name of [...spellings, ...keys])
      for (const speaker of catalog.speakerNames.called(name)) speakers.add(speaker)
    const own = new Set(spellings.map(conceptKey).filter((key) => concepts.count(key) > 0 && !known.has(key)))
    for (const key of own) known.add(key)
    if (own.size > 0) found.push([...own].sort())
  }
  for (const key of concepts.mentioned(cue)) if (!known.has(key)) found.push([key])
  return { concepts: found.sort(([a], [b]) => (a < b ? -1 : 1)), speakers }
}
