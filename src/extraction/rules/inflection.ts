const IRREGULAR: Readonly<Record<string, string>> = { be: 'is', have: 'has', do: 'does', go: 'goes' }

/** The third person of the present of a verb: works, studies, teaches. */
export function thirdPerson(lemma: string): string {
  if (Object.hasOwn(IRREGULAR, lemma)) return IRREGULAR[lemma]
  if (/(?:s|x|z|ch|sh|o)$/.test(lemma)) return `${lemma}es`
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`
}
