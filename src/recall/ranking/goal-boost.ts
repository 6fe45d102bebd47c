import { textQueries } from '../../encoding/text.js'
import type { Indexes } from '../../indexes/indexes.js'
import { NO_SCORE } from '../../kernel/port.js'
import { chanceLevel, highest, SIMILAR_MARGIN } from '../evidence/evidence.js'
import type { Led } from '../graph/lift.js'
import type { Question } from '../query/question.js'

/**
 * The cosine of latents up to which two texts may have nothing to do with each other: of unrelated ones 1 in 1,000 has
 * more.
 */
export const UNRELATED = 0.3
/**
 * The cosines with a goal from which a memory begins to be about it, and from which it is. Measured with
 * `bench:floors`: of memories that bear on a goal 2 in 3 have more than the first, of others 1 in 100; none of those
 * has as much as the second.
 */
const NEAR = 0.25
const ABOUT = 0.5
/** The share of what a goal says, as far as its words tell, from which a memory is about it. */
const SAID = 0.5

/**
 * Lifts candidates by their likeness to the goal that they are most like: by `goalBias` for one that is about what the
 * goal says, or that was observed for it. Best first, ties by slot.
 */
export function boostByGoals(
  indexes: Indexes,
  ranked: readonly Led[],
  { goals, goalBias, serves }: Pick<Question, 'goals' | 'goalBias' | 'serves'>,
): readonly Led[] {
  const likeness = likenessOf(
    indexes,
    Uint32Array.from(ranked, ({ slot }) => slot),
    goals,
  )
  return ranked
    .map((found, i): Led => {
      const goal = goalBias * (serves?.(found.slot) ? 1 : likeness[i])
      if (goal === 0) return found
      return { ...found, goal, score: found.score + goal, signals: () => ({ ...found.signals(), goal }) }
    })
    .sort((a, b) => b.score - a.score || a.slot - b.slot)
}

/**
 * How like the nearest goal each episode is, 0 to 1: by what they mean, whatever else the memory holds. By words only
 * where the goal's meaning is not known: beside it they tell nothing new, and mistake a word that two texts share for a
 * common subject.
 */
function likenessOf(indexes: Indexes, slots: Uint32Array, goals: readonly string[]): Float64Array {
  const { kernel, postings, latents } = indexes
  const known = (term: string) => (postings.documentFrequency(term) > 0 ? postings.idf(term) : 0)
  const found = new Float64Array(slots.length)
  const count = (i: number, value: number, from: number, to: number) => {
    if (to > from) found[i] = Math.max(found[i], Math.min(1, (value - from) / (to - from)))
  }
  const meant = latents?.latents(slots)
  const chance = chanceLevel(indexes.catalog.size) + SIMILAR_MARGIN
  for (const goal of goals) {
    const latent = latents?.of(goal)
    if (latent !== undefined) {
      latents!.dots(meant!, latent).forEach((cosine, i) => count(i, cosine, NEAR, ABOUT))
      continue
    }
    const query = textQueries(kernel, goal, known, postings.idf('')).likeness
    if (query === undefined) continue
    const said = SAID * highest(query)
    indexes.text
      .score(query, slots)
      .forEach((score, i) => score !== NO_SCORE && count(i, score / query.norm, chance, said))
  }
  return found
}
