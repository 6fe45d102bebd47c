import type { Extraction, ExtractionContext, Extractor, Statement } from '../../../src/api/extractor.js'

const LIKES = /\b([A-Z][a-z]+|I|He) (do not |does not )?likes? ([a-z]+)/gu
const NAME = /\b[A-Z][a-z]+\b/gu

/** An extractor of an application: it reads who likes what, and takes "He" for the last name that was said before. */
export function likes(version = '1', calls: string[][] = []): Extractor {
  return {
    id: 'likes',
    version,
    extract: async (texts, contexts) => {
      calls.push([...texts])
      return texts.map((text, i) => read(text, contexts[i]))
    },
  }
}

function read(text: string, { speaker, before = [] }: ExtractionContext): Extraction {
  const triples = Array.from(text.matchAll(LIKES), (match): Statement | undefined => {
    const [all, who, not, what] = match
    const last = before.flatMap((turn) => turn.text.match(NAME) ?? []).findLast((name) => name !== 'He')
    const subject = who === 'I' ? speaker : who === 'He' ? last : who
    if (subject === undefined) return undefined
    return {
      subject,
      predicate: 'likes',
      object: what,
      polarity: not === undefined ? 'positive' : 'negative',
      modality: text.endsWith('?') ? 'asked' : 'asserted',
      confidence: 0.9,
      span: { from: match.index, to: match.index + all.length },
    }
  })
  const entities = Array.from(text.matchAll(NAME), ({ 0: name, index }) => {
    return { text: name, type: 'person', from: index, to: index + name.length, score: 1 }
  })
  return { entities, triples: triples.filter((found) => found !== undefined), times: [] }
}
