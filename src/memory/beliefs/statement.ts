import type { Triple } from '../../api/triple.js'
import type { Verdict } from '../../api/belief.js'
import { isAlias } from '../../extraction/concepts/alias-predicates.js'
import type { Ontology, Ordered } from '../../encoding/ontology.js'
import { exclude, objectKey } from '../../encoding/relation.js'

/** A statement of an episode, as it is compared with others. */
export interface Stated {
  readonly triple: Triple
  /** Its place, from 0, among those of its episode. */
  readonly place: number
  /** Subject and object by the keys under which their spellings meet. */
  readonly meant: Ordered<string>
  /** See {@link statementKey}. */
  readonly key: string
}

/** What a triple states, in the order in which others that say the same come out, too. */
export function meaningOf(ontology: Ontology, { subject, predicate, object }: Triple): Ordered<string> {
  return ontology.ordered(objectKey(subject), predicate, objectKey(object), byText)
}

/** The statements of an episode, but for those that give other names. */
export function statementsOf(ontology: Ontology, triples: readonly Triple[]): Stated[] {
  return triples.flatMap((triple, place) => {
    if (isAlias(triple)) return []
    const meant = meaningOf(ontology, triple)
    return { triple, place, meant, key: statementKey(meant) }
  })
}

/** The same for all statements that say the same of the same. */
export function statementKey({ subject, says, object }: Ordered<string>): string {
  return JSON.stringify([subject, says, object])
}

/** Whether a statement says that something is so of something else. */
export function isBelievable({ subject, object, holds }: Ordered<string>): boolean {
  return holds === true && subject !== object && subject !== '' && object !== ''
}

/** Where statements meet that say the same, exclude or deny each other: a relation of what they are about. */
export function meetingsOf(meant: Ordered<string>): readonly string[] {
  return endsOf(meant).map((end) => JSON.stringify([end, meant.relation]))
}

/** What a statement is about: its subject, and both ends of a relation that holds in both orders. */
function endsOf({ subject, object, isSymmetric }: Ordered<string>): readonly string[] {
  return isSymmetric ? [subject, object] : [subject]
}

/** What another statement says of one that holds; `undefined` for nothing. */
export function verdictOn(one: Ordered<string>, other: Ordered<string>): Exclude<Verdict, 'neutral'> | undefined {
  if (one.relation !== other.relation) return undefined
  if (one.subject === other.subject && one.object === other.object) {
    if (other.holds === false) return 'contradicts'
    return other.holds === true && (other.says === one.says || one.says === one.relation) ? 'supports' : undefined
  }
  if (!one.isOneAtATime || other.holds !== true) return undefined
  const [shared] = endsOf(one).filter((end) => endsOf(other).includes(end))
  if (shared === undefined) return undefined
  return exclude(opposite(one, shared), opposite(other, shared)) ? 'contradicts' : undefined
}

/** What stands at the other end. */
function opposite({ subject, object }: Ordered<string>, end: string): string {
  return subject === end ? object : subject
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
