import type { AtomId } from '../../api/atom.js'
import type { Triple } from '../../api/episode.js'
import { said } from '../../encoding/predicate.js'
import { term, tokens } from '../../encoding/tokens.js'
import { dot } from '../../indexes/latents.js'
import type { Batch } from './batch.js'
import { FORMS, SAME_PREDICATE } from '../relations.js'
import type { MemoryContext } from '../context.js'

/** Function words of predicates that are only grammar. Others turn what is said around: "moved to", "moved from". */
const GRAMMAR: ReadonlySet<string> = new Set([...FORMS, 'of', 'in', 'at'])

/** Finds the predicates that say the same in other words. */
export class SimilarPredicates {
  readonly #context: MemoryContext
  readonly #predicates = new Map<string, Float32Array | undefined>()

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** The atom of the same subject and object whose predicate means the same, if it is known of one. */
  atom(triple: Triple, batch: Batch): AtomId | undefined {
    const { ontology } = this.#context.indexes
    const { says, holds } = ontology.of(triple.predicate)
    const synonym = batch.between(triple).find((id) => {
      const other = ontology.of(batch.triple(id)!.predicate)
      return holds !== undefined && other.says === says && other.holds === holds
    })
    if (synonym !== undefined) return synonym
    const meant = this.#predicate(triple.predicate)
    if (meant === undefined) return undefined
    const frame = frameOf(triple.predicate)
    let best: AtomId | undefined
    let closest = SAME_PREDICATE
    for (const id of batch.between(triple)) {
      const { predicate } = batch.triple(id)!
      if (frameOf(predicate) !== frame) continue
      const other = this.#predicate(predicate)
      const cosine = other === undefined ? 0 : dot(meant, other)
      if (cosine > closest) [best, closest] = [id, cosine]
    }
    return best
  }

  #predicate(predicate: string): Float32Array | undefined {
    if (!this.#predicates.has(predicate)) this.#predicates.set(predicate, this.#context.indexes.latents?.of(predicate))
    return this.#predicates.get(predicate)
  }
}

/** What of a predicate a synonym cannot change: whether it is denied, and its function words. */
function frameOf(predicate: string): string {
  const words = tokens(predicate).filter((word) => term(word) === undefined && !GRAMMAR.has(word))
  return `${said(predicate).negated} ${words.join(' ')}`
}
