import type { Contender } from './exam.js'
import { MiniLM, miniLMAlone } from './peers/minilm.js'
import { miniSearches } from './peers/minisearch.js'
import { oramaHybrid, oramaTexts } from './peers/orama.js'

/** A peer in one or more settings: the strongest of them, on the data at hand, is the one to beat. */
export interface Peer {
  readonly name: string
  readonly settings: readonly Contender[]
}

/** Whom this library is measured against; those that need MiniLM only if its folder is given. */
export async function peers(minilm?: string): Promise<Peer[]> {
  const words: Peer[] = [
    { name: 'BM25 (MiniSearch)', settings: miniSearches },
    { name: 'Orama full text', settings: oramaTexts },
  ]
  if (minilm === undefined) return words
  const model = await MiniLM.open(minilm)
  return [
    ...words,
    { name: 'Orama hybrid', settings: [oramaHybrid(model)] },
    { name: 'MiniLM', settings: [miniLMAlone(model)] },
  ]
}
