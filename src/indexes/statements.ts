import type { Episode } from '../api/episode.js'
import { conceptKey, conceptWords } from '../encoding/concept.js'
import { term, tokens } from '../encoding/tokens.js'
import { Names } from './names.js'
import type { Index } from './port.js'

/** Subjects and objects of statements, by their folded spelling. */
export function conceptIndex(): Index<Names> {
  const concepts = new Names(conceptWords)
  return {
    ...nameIndex(concepts, ({ triples }) =>
      triples.flatMap(({ subject, object }) => [conceptKey(subject), conceptKey(object)]),
    ),
    // The newest first, since what was said last is what is most often asked for.
    candidates({ named }, depth) {
      const countOf = (keys: readonly string[]) => keys.reduce((sum, key) => sum + concepts.count(key), 0)
      const [rarest = []] = [...named].sort((a, b) => countOf(a) - countOf(b))
      const slots = new Set(rarest.flatMap((key) => concepts.slots(key)))
      return [...slots].sort((a, b) => b - a).slice(0, depth)
    },
  }
}

/** Predicates of statements; their words are compared by stem, so that a cue may inflect them. */
export function predicateIndex(): Index<Names> {
  return nameIndex(new Names(stems), ({ triples }) => triples.map(({ predicate }) => conceptKey(predicate)))
}

/** Indexes the names that an episode uses. */
function nameIndex(names: Names, namesOf: (episode: Episode) => string[]): Index<Names> {
  return {
    contents: names,
    add: (slot, episode) => names.set(slot, namesOf(episode)),
    update: (slot, episode) => names.set(slot, namesOf(episode)),
    remove: (slot) => names.set(slot, []),
  }
}

function stems(text: string): string[] {
  return tokens(text).map((token) => term(token) ?? token)
}
