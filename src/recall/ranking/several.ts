import { fold } from '../../encoding/tokens.js'
import type { Catalog } from '../../indexes/catalog.js'
import type { Scored } from './ranking.js'

const VERB = '(?:do|does|did|has|have|had|are|were|is|was|can|could|will|would|should|might|may)'
/** Up to six words before the verb. */
const WORDS = String.raw`(?:(?!${VERB}\b)\S+ ){0,6}?`

/** What asks for several things. English, and what Romance languages and German say unmistakably in the plural. */
const SEVERAL: readonly RegExp[] = [
  // "Which books has …", "What kinds of music does …": a noun in the plural. No bus, class or status.
  new RegExp(
    String.raw`\b(?:what|which) ${WORDS}(?!(?:does|was|has|its)\b)[a-z]*[^\Wisu]s (?:[a-z]+ [a-z]+ )?${VERB}\b`,
  ),
  // "Where has … been", "What have … tried": all that happened until now. Not "Who has the key".
  new RegExp(String.raw`\b(?:what|which|where|who|whom|how) ${WORDS}(?:has|have) (?!(?:an?|the|to) )`),
  /\bhow many times\b|\b(?:what|who) (?:are|were) some\b/,
  /\b(?:quels|quelles|quali|quais|cuales)\b|\bwelche \w+ (?:haben|sind|waren|wurden)\b/,
]
/** What asks for one thing, though it has such a form: "How long has … been". */
const ONE = /\bhow (?:long|old|much|many (?:year|month|week|day|hour|minute)s)\b|\bsince wh/

/** Whether a cue asks for several things, by its form alone. */
export function asksForSeveral(cue: string): boolean {
  const folded = fold(cue).replace(/\s+/g, ' ')
  return !ONE.test(folded) && SEVERAL.some((form) => form.test(folded))
}

/**
 * What the best of a session gains where several things are asked for: about a fifth of what lies between the best
 * and the median candidate. Chosen from .15 to .5 on LoCoMo and four sets of bench/data: see docs/rankers.md.
 */
const GAIN = 0.3

/**
 * Lifts the best candidate of each session: what several things are told in mostly lies in several sessions, and the
 * others of a session tend to repeat what its best one says. Best first, ties by slot.
 *
 * @param ranked best first.
 */
export function liftBestOfSessions<T extends Scored>(catalog: Catalog, ranked: readonly T[]): T[] {
  const met = new Set<number>()
  return ranked
    .map((found): T => {
      const session = catalog.session(found.slot)
      if (session >= 0 && met.has(session)) return found
      met.add(session)
      return {
        ...found,
        score: found.score + GAIN,
        signals: () => ({ ...found.signals(), several: GAIN }),
      }
    })
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
}
