import { fold, tokens } from './tokens.js'

/** The key under which spellings of one concept meet: case, width and spacing folded. */
export function conceptKey(name: string): string {
  return fold(name).replace(/\s+/gu, ' ').trim()
}

/** The name from which a concept's hypervector is made. */
export function conceptName(name: string): string {
  return `concept:${conceptKey(name)}`
}

/** The words of a concept, as {@link tokens} finds them in a cue. */
export function conceptWords(name: string): string[] {
  return tokens(name).map((token) => token.replace(/'s$/, ''))
}
