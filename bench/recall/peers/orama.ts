import { create, insertMultiple, search } from '@orama/orama'
import { stopwords } from '@orama/stopwords/english'
import { line, type Contender, type Exam, type Filled } from '../exam.js'
import { WIDTH, type MiniLM } from './minilm.js'

const PLAIN = {}
export const STEMS = { stemming: true, stopWords: stopwords }

/** Orama's full text search (BM25 with prefixes) as it comes, and with its own stemmer and stop words. */
export const oramaTexts: readonly Contender[] = [
  { name: 'Orama full text', fill: (exam) => fillText(exam, PLAIN) },
  { name: 'Orama full text, stems, stop words out', fill: (exam) => fillText(exam, STEMS) },
]

/**
 * Orama's hybrid search, text and vector half and half as it comes. Its least cosine, 0.8 unless told otherwise,
 * is made 0: MiniLM seldom puts a question that near to its answer.
 */
export function oramaHybrid(model: MiniLM): Contender {
  return { name: 'Orama hybrid with MiniLM', fill: (exam) => fillHybrid(exam, model) }
}

async function fillText({ observations }: Exam, tokenizer: object): Promise<Filled> {
  const db = create({ schema: { line: 'string' } as const, components: { tokenizer } })
  await insertMultiple(
    db,
    observations.map((observation, i) => ({ id: String(i), line: line(observation) })),
  )
  return {
    rank: async (cue, k) => toHits(await search(db, { term: cue, limit: k })),
    close: async () => {},
  }
}

async function fillHybrid({ observations }: Exam, model: MiniLM): Promise<Filled> {
  const db = create({
    schema: { line: 'string', embedding: `vector[${WIDTH}]` } as const,
    components: { tokenizer: STEMS },
  })
  const lines = observations.map(line)
  const embeddings = await model.remember(lines)
  await insertMultiple(
    db,
    lines.map((text, i) => ({ id: String(i), line: text, embedding: [...embeddings[i]] })),
  )
  return {
    async rank(cue, k) {
      const value = [...(await model.encode(cue))]
      return toHits(
        await search(db, {
          mode: 'hybrid',
          term: cue,
          vector: { value, property: 'embedding' },
          similarity: 0,
          limit: k,
        }),
      )
    },
    close: async () => {},
  }
}

function toHits({ hits }: { hits: readonly { id: string; score: number }[] }) {
  return hits.map(({ id, score }) => ({ index: Number(id), score }))
}
