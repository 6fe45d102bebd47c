import type { Limits } from './open-options.js'

/**
 * The upper bound of every stored field, by record kind: one table for what methods take and for what an import brings.
 * A text is bounded in UTF-8 bytes by an option of `open({ limits })`; a list by its items and by what bounds each.
 */
export const FIELD_LIMITS = {
  episode: {
    id: 'nameBytes',
    text: 'textBytes',
    speaker: 'nameBytes',
    session: 'nameBytes',
    source: 'nameBytes',
    writer: 'nameBytes',
    triples: { items: 'triples', each: 'nameBytes' },
    tags: { items: 64, each: 'nameBytes' },
    metadata: { jsonBytes: 16_384, depth: 8 },
    senses: { items: 7, each: 'nameBytes' },
  },
  extraction: {
    entities: { items: 1_000, each: 'textBytes' },
    triples: { items: 1_000, each: 'nameBytes' },
    times: { items: 1_000, each: 'textBytes' },
  },
  entry: {
    places: { items: 10_000 },
    path: { items: 64, each: 'nameBytes' },
    source: 'nameBytes',
    heading: 'nameBytes',
    visibility: 'nameBytes',
    perspectives: { items: 64, each: 'nameBytes' },
    relation: 'nameBytes',
    summarizes: { items: 10_000, each: 'nameBytes' },
    madeBy: 'nameBytes',
    changed: { items: 1_000, each: 'nameBytes' },
    accessed: { items: 10_000, each: 'nameBytes' },
    accesses: { items: 256 },
    access: { items: 101 },
  },
  frame: {
    id: 'nameBytes',
    text: 'textBytes',
    encoder: 'nameBytes',
    speaker: 'nameBytes',
    session: 'nameBytes',
    source: 'nameBytes',
    triples: { items: 'triples', each: 'nameBytes' },
    latent: { items: 8_192 },
    parts: { items: 8 },
  },
  goal: {
    description: 'cueBytes',
    reason: 'cueBytes',
    successCriteria: { items: 64, each: 'cueBytes' },
    evidence: { items: 1_000, each: 'nameBytes' },
    children: { items: 1_000, each: 'nameBytes' },
  },
  belief: {
    claim: 'textBytes',
    subject: 'nameBytes',
    predicate: 'nameBytes',
    object: 'nameBytes',
    reason: 'composedBytes',
    evidence: { items: 1_000, each: 'nameBytes' },
  },
  procedure: {
    name: 'nameBytes',
    trigger: 'cueBytes',
    steps: { items: 256, each: 'cueBytes' },
    preconditions: { items: 256, each: 'cueBytes' },
    trace: { items: 256, each: 'cueBytes' },
    note: 'textBytes',
    reason: 'cueBytes',
    evidence: { items: 1_000, each: 'nameBytes' },
  },
  atom: { statement: 'composedBytes', episodes: { items: 100_000, each: 'nameBytes' } },
  concept: {
    name: 'nameBytes',
    names: { items: 10_000, each: 'nameBytes' },
    evidence: { items: 100, each: 'nameBytes' },
  },
  run: { functionalPredicates: { items: 10_000, each: 'nameBytes' }, batches: { items: 1_000_000 } },
  recall: { cue: 'cueBytes', episodes: { items: 1_000, each: 'nameBytes' } },
  graph: {
    name: 'nameBytes',
    evidence: { items: 1_000, each: 'nameBytes' },
    relations: { items: 1_000 },
    episodes: { items: 2_000, each: 'nameBytes' },
    recalls: { items: 256 },
    recall: { items: 17 },
  },
  unlearning: { reason: 'cueBytes' },
  selfVector: { atoms: { items: 100_000, each: 'nameBytes' } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldLimit>>>>

/** What bounds a text: an option of `open({ limits })`, or `composedBytes` where agidb composes it of other fields. */
export type TextLimit = 'nameBytes' | 'cueBytes' | 'textBytes' | 'composedBytes'

/** What bounds a list: its items, and each of them where they are texts. */
export interface ListLimit {
  readonly items: number | 'triples'
  readonly each?: TextLimit
}

/** What bounds a JSON value. */
export interface JsonLimit {
  /** Bytes of its text in UTF-8, as `JSON.stringify` writes it. */
  readonly jsonBytes: number
  /** How many arrays and objects may stand in each other. */
  readonly depth: number
}

/** What bounds a field. */
export type FieldLimit = TextLimit | ListLimit | JsonLimit

/** Bytes of the words that agidb itself puts into a sentence that it composes. */
const OWN_WORDS_BYTES = 1_024

/**
 * Bytes that a text may have. A composed text quotes at most one text and two statements of three names each, as the
 * reason of a revision does.
 */
export function mostBytes(limit: TextLimit, limits: Limits): number {
  if (limit !== 'composedBytes') return limits[limit]
  return limits.textBytes + 6 * limits.nameBytes + OWN_WORDS_BYTES
}

/** Items that a list may have. */
export function mostItems({ items }: ListLimit, limits: Limits): number {
  return items === 'triples' ? limits.triples : items
}
