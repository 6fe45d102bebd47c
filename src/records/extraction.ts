import type { Episode } from '../api/episode.js'
import type { EpisodeExtraction, Extraction, Extractor, Statement } from '../api/extractor.js'
import type { Triple } from '../api/triple.js'
import { conceptKey } from '../encoding/concept.js'
import { relationOf } from '../encoding/relation.js'

/** The statements that the caller gave with an episode. */
export function givenTriples({ triples, extraction }: Pick<Episode, 'triples' | 'extraction'>): readonly Triple[] {
  return extraction === undefined ? triples : triples.slice(0, extraction.given)
}

/** The episode with what an extractor found in its text, in the place of what one found before. */
export function withExtraction(
  episode: Episode,
  found: Extraction,
  { id, version }: Pick<Extractor, 'id' | 'version'>,
): Episode {
  const given = givenTriples(episode)
  const extraction: EpisodeExtraction = {
    extractor: id,
    version,
    given: given.length,
    entities: found.entities,
    triples: found.triples,
    times: found.times,
  }
  return { ...episode, triples: withFound(given, found.triples), extraction }
}

/** The episode as the caller gave it. */
export function withoutExtraction(episode: Episode): Episode {
  const { extraction: _, ...rest } = episode
  return { ...rest, triples: givenTriples(episode) }
}

/**
 * The statements of an episode: those that were given, then those that the text asserts or denies. What was given about
 * a subject and a relation stands for what was found about them.
 */
export function withFound(given: readonly Triple[], found: readonly Statement[]): readonly Triple[] {
  if (found.length === 0) return given
  const about = new Set(given.map(aboutOf))
  const triples = [...given]
  const seen = new Set<string>()
  for (const statement of found) {
    if (statement.modality !== 'asserted') continue
    const triple = stated(statement)
    const key = JSON.stringify([triple.subject, triple.predicate, triple.object].map(conceptKey))
    if (seen.has(key) || (given.length > 0 && about.has(aboutOf(triple)))) continue
    seen.add(key)
    triples.push(triple)
  }
  return triples
}

function aboutOf({ subject, predicate }: Triple): string {
  return JSON.stringify([conceptKey(subject), relationOf(predicate).name])
}

/** A statement as a triple, which denies by its predicate. */
function stated({ subject, predicate, object, polarity }: Statement): Triple {
  return { subject, predicate: polarity === 'negative' ? denied(predicate) : predicate, object }
}

const COPULA = /^(is|are|was|were|am|can|could|will|would|should|must|may|might)(?= |$)/u
/** The present of the third person: "lives in", "has", "goes to". */
const PRESENT = /^(\p{L}+)s(?= |$)/u
const IRREGULAR: Readonly<Record<string, string>> = { has: 'have', does: 'do', goes: 'go' }

/** A predicate that says the opposite, as English puts it: "does not live in", "is not". */
export function denied(predicate: string): string {
  if (COPULA.test(predicate)) return predicate.replace(COPULA, '$1 not')
  const [word, base] = PRESENT.exec(predicate) ?? []
  if (word === undefined || base === undefined || base.endsWith('s')) return `not ${predicate}`
  const rest = predicate.slice(word.length)
  return `does not ${IRREGULAR[word] ?? baseOf(word, base)}${rest}`
}

/** The base of a verb in the third person: "studies" of "study", "watches" of "watch". */
function baseOf(word: string, base: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /(?:ss|sh|ch|x|zz)es$/u.test(word) ? word.slice(0, -2) : base
}
