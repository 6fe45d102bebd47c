import type { SectionSignals } from '../../api/entry.js'
import { log } from '../../base/exponential.js'
import { termCounts } from '../../encoding/tokens.js'
import type { Indexes } from '../../indexes/indexes.js'
import { dot, type LatentCue, type Latents, unit } from '../../indexes/latents.js'
import { LEAST_COSINE } from '../../recall/ranking/interaction.js'
import type { Sections } from './section.js'

/** What is known of an entry by its section and its document, beside what a recall says of the entry alone. */
export const SECTION_SIGNALS: readonly SectionSignal[] = ['words', 'pieces', 'length', 'meaning', 'document']
export type SectionSignal = keyof SectionSignals

/** A number for each entry, by signal. */
export type SectionEvidence = Readonly<Record<SectionSignal, Float64Array>>

/** Of BM25: how soon more of a word counts no more, and how much a longer text counts less. */
const [SATURATION, LENGTH] = [1.2, 0.75]
/** Words that are added to the length of a section, so that the shortest are not preferred beyond reason. */
const LEAST_WORDS = 10

/**
 * Compares a query with the section of each of some entries, as far as it stands around the entry.
 *
 * - `words`: BM25 of the section, each of its entries that has a word counting once.
 * - `pieces`: how the section meets the query piece by piece, over the logarithm of its length.
 * - `length`: the logarithm of the words of the section.
 * - `meaning`: the cosine of the query and of the mean of the entries of the section.
 * - `document`: how the sections of the document that are among these meet the query together, piece by piece.
 *
 * Without a codebook `pieces`, `meaning` and `document` are 0.
 */
export function sectionEvidence(
  indexes: Indexes,
  query: string,
  slots: readonly number[],
  sections: Sections,
): SectionEvidence {
  const around = slots.map((slot) => sections.around(slot))
  const texts = [...new Set(around.flat())]
  const rowOf = new Map(texts.map((slot, row) => [slot, row]))
  const rows = around.map((slots) => slots.map((slot) => rowOf.get(slot)!))
  const lengths = rows.map((rows) => rows.reduce((sum, row) => sum + indexes.traits.words(texts[row]), 0))
  const surroundings = { texts, rows, lengths }
  const cue = indexes.latents?.cue(query)
  return {
    words: words(indexes, query, surroundings),
    length: Float64Array.from(lengths, (length) => log(1 + length)),
    ...(indexes.latents === undefined || cue === undefined || cue.pieces.length === 0
      ? nothing(slots.length)
      : meanings(indexes, indexes.latents, cue, slots, surroundings)),
  }
}

/** The sections of some entries. */
interface Surroundings {
  /** The slots of all entries of these sections. */
  readonly texts: readonly number[]
  /** For each of the entries that were asked about, which of the texts are around it. */
  readonly rows: readonly (readonly number[])[]
  /** How many words these have together. */
  readonly lengths: readonly number[]
}

function words({ postings }: Indexes, query: string, { texts, rows, lengths }: Surroundings): Float64Array {
  const asked = [...termCounts(query).keys()].slice(0, 32)
  const idf = asked.map((term) => postings.idf(term))
  const { terms } = postings.score(new Map(asked.map((term) => [term, 1])), Uint32Array.from(texts))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return Float64Array.from(rows, (rows, i) => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * lengths[i]) / Math.max(1, mean))
    let score = 0
    for (let term = 0; term < asked.length; term++) {
      let count = 0
      for (const row of rows) count += (terms[row] >>> term) & 1
      score += (idf[term] * count * (SATURATION + 1)) / (count + norm)
    }
    return score
  })
}

function meanings(
  { documents }: Indexes,
  latents: Latents,
  cue: LatentCue,
  slots: readonly number[],
  { texts, rows, lengths }: Surroundings,
): Omit<SectionEvidence, 'words' | 'length'> {
  const { dimension } = latents.codebook
  const width = cue.pieces.length
  const compared = latents.compare(cue.pieces, texts, texts.length)
  const found = nothing(slots.length)
  // An entry that stands in no document is a document by itself.
  const sources = slots.map((slot) => documents.facet(slot)?.places[0]?.source ?? slot)
  const best = new Map<string | number, Float64Array>()
  for (const [i, source] of sources.entries()) {
    const cosines = new Float64Array(width)
    const mean = new Float32Array(dimension)
    for (const row of rows[i]) {
      raise(cosines, compared.cosines.subarray(row * width, (row + 1) * width))
      for (let d = 0; d < dimension; d++) mean[d] += compared.latents[row * dimension + d]
    }
    found.pieces[i] = met(cue, cosines) / log(LEAST_WORDS + lengths[i])
    found.meaning[i] = unit(mean) === undefined ? 0 : dot(mean, cue.fixed)
    const known = best.get(source)
    if (known === undefined) best.set(source, cosines)
    else raise(known, cosines)
  }
  for (const [i, source] of sources.entries()) found.document[i] = met(cue, best.get(source)!)
  return found
}

/** Takes over what is higher in another column. */
function raise(column: Float64Array, other: Float64Array): void {
  for (let i = 0; i < column.length; i++) if (other[i] > column[i]) column[i] = other[i]
}

/** The share of a query that is met: its pieces by their idf, times the cosines with what is nearest to them. */
function met({ idf }: LatentCue, cosines: Float64Array): number {
  let [sum, all] = [0, 0]
  for (let piece = 0; piece < idf.length; piece++) {
    all += idf[piece]
    if (cosines[piece] >= LEAST_COSINE) sum += idf[piece] * cosines[piece]
  }
  return sum / all
}

function nothing(entries: number): Omit<SectionEvidence, 'words' | 'length'> {
  const [pieces, meaning, document] = [0, 1, 2].map(() => new Float64Array(entries))
  return { pieces, meaning, document }
}
