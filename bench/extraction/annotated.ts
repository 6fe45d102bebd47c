import { readFile } from 'node:fs/promises'
import type { ExtractionContext, Polarity, StatementModality as Modality } from '../../src/api/extractor.js'

export type AnnotatedTriple = readonly [
  subject: string,
  predicate: string,
  object: string,
  polarity: Polarity,
  modality: Modality,
  optional?: 'optional',
]

/** A text with what a reader finds in it; the rule stands in the file. */
export interface AnnotatedText extends ExtractionContext {
  readonly half: 'open' | 'held'
  readonly text: string
  readonly triples: readonly AnnotatedTriple[]
  readonly entities: readonly (readonly [text: string, type: string])[]
  readonly times: readonly (readonly [text: string, start: string, end: string])[]
}

const FILE = new URL('../data/extraction/sentences.json', import.meta.url)

export async function annotatedTexts(): Promise<AnnotatedText[]> {
  const { texts } = JSON.parse(await readFile(FILE, 'utf8')) as { texts: AnnotatedText[] }
  return texts
}
