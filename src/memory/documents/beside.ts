import type { Identity } from '../../api/identity.js'

/** The beliefs that are surest, of those alike the first by their ids. */
export function surest(beliefs: Identity['beliefs'], most: number): Identity['beliefs'] {
  return [...beliefs]
    .sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))
    .slice(0, most)
    .map(({ id, claim, confidence }) => ({ id, claim, confidence }))
}

/** The atoms that most episodes say, of those alike the first by their ids. */
export function mostSupported(atoms: Identity['atoms'], most: number): Identity['atoms'] {
  return [...atoms].sort((a, b) => b.support - a.support || (a.id < b.id ? -1 : 1)).slice(0, most)
}
