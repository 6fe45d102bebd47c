import { thirdPerson } from './inflection.js'
import type { Token } from './token.js'
import type { VerbGroup } from './verbs.js'
import { CHANGES } from './words.js'

/**
 * The predicate that a verb group makes: the third person of the present ("works", "likes to play"), the past of verbs
 * of change ("moved"), "used to live", "can speak", and of a passive "is based", "born".
 */
export function predicateOf(tokens: readonly Token[], verb: VerbGroup): string {
  const main = tokens[verb.main]
  const particles = verb.particles.map((at) => tokens[at].lower)
  if (verb.passive) return [helperOf(tokens, verb), main.lower, ...particles].filter((word) => word !== '').join(' ')
  if (verb.former) return ['used to', main.lemma, ...particles].join(' ')
  if (verb.able) return ['can', main.lemma, ...particles].join(' ')
  if (verb.owned) return 'has'
  const [first, ...rest] = [...verb.chain, verb.main].map((at) => tokens[at])
  const kept = rest.length === 0 && CHANGES.has(first.lemma) && verb.past
  return [kept ? first.lower : thirdPerson(first.lemma), ...rest.map(({ lower }) => lower), ...particles].join(' ')
}

/** "Is born in" is "born in". */
function helperOf(tokens: readonly Token[], verb: VerbGroup): string {
  if (tokens[verb.main].lower === 'born') return ''
  return tokens.slice(verb.first, verb.main).some(({ lemma }) => lemma === 'get') ? 'gets' : 'is'
}
