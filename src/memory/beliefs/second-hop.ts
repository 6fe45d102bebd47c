import type { BeliefId } from '../../api/belief.js'
import { tripleOf } from '../../api/belief.js'
import { conceptWords } from '../../encoding/concept.js'
import { term, tokens } from '../../encoding/tokens.js'
import type { Held } from './standing.js'

/** Beliefs about one name that are looked at, the first ones. */
const MOST_LOOKED = 256

/** A belief that bears on a cue, and how much. */
export interface Bearing {
  readonly held: Held
  readonly relevance: number
}

/** A belief to which a cue leads by way of another. */
export interface Led extends Bearing {
  readonly through: BeliefId
}

/**
 * The beliefs to which a cue leads by way of others: "Where does Ann's sister live?" bears on "Ann's sister is Karla",
 * which names Karla, whom the cue does not name; of Karla it is believed that she lives in Lisbon, which has the word
 * of the cue that the first belief leaves open. The relevance is that of the first belief times the share of the open
 * words that the second has. Best first; of equal ones in the order of their assertion.
 *
 * @param direct the beliefs that bear on the cue itself, best first.
 * @param about the beliefs about a name, in the order in which they were asserted.
 */
export function ledTo(cue: string, direct: readonly Bearing[], about: (name: string) => readonly Held[]): Led[] {
  const asked = termsOf(cue)
  const known = new Set(direct.map(({ held }) => held.id))
  const found = new Map<BeliefId, Led>()
  for (const { held: first, relevance } of direct) {
    const triple = tripleOf(first.asserted)
    const said = termsOf(first.asserted.claim)
    const open = [...asked].filter((word) => !said.has(word))
    if (triple === undefined || open.length === 0 || open.length === asked.size) continue
    for (const name of [triple.subject, triple.object]) {
      if (isNamed(name, asked)) continue
      for (const held of about(name).slice(0, MOST_LOOKED)) {
        if (known.has(held.id)) continue
        const own = termsOf(held.asserted.claim)
        const fit = open.filter((word) => own.has(word)).length / open.length
        const led: Led = { held, relevance: relevance * fit, through: first.id }
        if (fit > 0 && led.relevance > (found.get(held.id)?.relevance ?? 0)) found.set(held.id, led)
      }
    }
  }
  return [...found.values()].sort((a, b) => b.relevance - a.relevance || a.held.place - b.held.place)
}

/** Whether a cue has all words of a name. */
function isNamed(name: string, asked: ReadonlySet<string>): boolean {
  const words = conceptWords(name).flatMap((word) => term(word) ?? [])
  return words.length === 0 || words.every((word) => asked.has(word))
}

function termsOf(text: string): Set<string> {
  return new Set(tokens(text).flatMap((token) => term(token) ?? []))
}
