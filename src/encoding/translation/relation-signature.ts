import type { Hypervector, Kernel } from '../../kernel/port.js'
import { relationOf } from '../relation.js'
import { term, tokens } from '../tokens.js'

/** How one concept stands to another by one statement. */
export interface Relating {
  readonly predicate: string
  /** Whether the first concept is the subject. */
  readonly forward: boolean
}

/** Against a tie-breaker of weight 1. */
const STATEMENT_WEIGHT = 2

/**
 * The hypervector of how one concept stands to another: the bundle of the predicates of the statements that have both.
 *
 * @param relating at least one statement.
 */
export function relationSignature(kernel: Kernel, relating: readonly Relating[]): Hypervector {
  const parts = relating.map((one) => predicateSignature(kernel, one))
  if (parts.length === 1) return parts[0]
  const names = relating.map(({ predicate, forward }) => `${forward} ${predicate}`).sort()
  const weights = new Int32Array(parts.length + 1).fill(STATEMENT_WEIGHT)
  weights[parts.length] = 1
  return kernel.bundle([...parts, kernel.fromName(`agidb/relation/${names.join()}`)], weights)
}

/**
 * The bundle of a relation and the stems of the predicate that names it, half each. Synonyms have the same relation,
 * and predicates that share words are alike; a relation and its inverse, or its denial, have nothing in common.
 */
function predicateSignature(kernel: Kernel, { predicate, forward }: Relating): Hypervector {
  const { name, holds } = relationOf(predicate)
  const sense = `${forward ? 'forward' : 'backward'} ${holds === false ? 'denied' : 'said'}`
  const stems = [...new Set(tokens(predicate).flatMap((token) => term(token) ?? []))]
  const relation = `relation:${sense} ${name}`
  if (stems.length === 0) return kernel.fromName(relation)
  const words = stems.map((stem) => `relation-word:${sense} ${stem}`)
  const names = [relation, ...words, `relation-tie:${sense} ${predicate}`]
  // The sum of the weights is odd, so that no dimension ties.
  return kernel.textSignature(names, Int32Array.of(stems.length, ...stems.map(() => 1), 1))
}
