import type { Naming } from './naming.js'
import type { ParsedSentence } from './parsed-sentence.js'
import type { NounPhrase } from './phrases.js'

/** The phrases that a pronoun may mean later, in order: not those that only say what something is. */
export function mentioned({ phrases, clauses, appositions }: ParsedSentence, naming: Naming): NounPhrase[] {
  const describing = new Set<NounPhrase>(appositions.map(([one, other]) => (one.proper || !other.proper ? other : one)))
  for (const clause of clauses) {
    for (const { preposition, items } of clause.prepositional)
      if (preposition === 'as') for (const item of items) describing.add(item)
    if (naming.verb(clause).lemma !== 'be') continue
    for (const object of clause.objects)
      if (object.proper) for (const subject of clause.subjects) describing.add(subject)
      else describing.add(object)
  }
  return phrases.filter((phrase) => !describing.has(phrase)).sort((a, b) => a.first - b.first)
}
