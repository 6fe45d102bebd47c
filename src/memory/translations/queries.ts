import { type Belief, type BeliefId, tripleOf } from '../../api/belief.js'
import { checkId, checkKeys, checkName, checkNumber, checkText, checkWhole, invalid } from '../../api/check.js'
import type { EpisodeId, Triple } from '../../api/episode.js'
import { FIELD_LIMITS } from '../../api/field-limits.js'
import type {
  Analogous,
  AnalogyOptions,
  BeliefToEncode,
  FoundBeliefContent,
  FoundEpisodeContent,
  FoundTriple,
  Signature,
  SignatureToTriplesOptions,
} from '../../api/neurosymbolic.js'
import type { Modality } from '../../api/sensory.js'
import { AgidbError } from '../../base/errors.js'
import { conceptKey } from '../../encoding/concept.js'
import { type BeliefContent, BeliefSignatures } from '../../encoding/translation/belief-signature.js'
import { correctedSimilarity, decodeRecord } from '../../encoding/translation/decode-record.js'
import { SIGNATURE_BYTES } from '../../kernel/port.js'
import { checkTriples } from '../../records/observation.js'
import type { MemoryContext } from '../context.js'
import type { Standing } from '../beliefs/standing.js'
import { analogous } from './analogy.js'
import { EpisodeTranslations, type LinkSource } from './episodes.js'
import { Vocabulary } from './vocabulary.js'

export { keeping } from './keeping.js'
export { keepsakeOf } from './keepsake.js'
export { perceive, perceivedCue, sensed } from './perceiving.js'

/** Results of one call, at most. */
const MOST = 1_000
/** Results of one call, by default. */
const DEFAULT_K = 10
/** Confidence of a belief for which the caller gives none. */
const DEFAULT_CONFIDENCE = 0.5

/** What translations read of the beliefs. */
export interface BeliefSource {
  /** Those that are held now, oldest first. */
  readonly held: () => readonly Standing[]
  readonly get: (id: BeliefId) => Promise<Belief | undefined>
  /** The keys of a concept and its other names at a time. */
  readonly names: (concept: string, at: number) => Promise<readonly string[]>
}

/** What answers the methods of translations. Loaded when the first is asked for. */
export class TranslationQueries {
  readonly #context: MemoryContext
  readonly #beliefs: BeliefSource
  readonly #vocabulary: Vocabulary
  readonly #believed: BeliefSignatures
  readonly #episodes: EpisodeTranslations

  constructor(context: MemoryContext, beliefs: BeliefSource, links: LinkSource) {
    const { kernel, records } = context.indexes
    this.#context = context
    this.#beliefs = beliefs
    this.#vocabulary = new Vocabulary(context, () => this.#statements())
    this.#believed = new BeliefSignatures(kernel, records)
    this.#episodes = new EpisodeTranslations(context, links)
  }

  free(): void {
    this.#vocabulary.free()
  }

  ofTriples(triples: Triple | readonly Triple[]): Signature {
    const list = Array.isArray(triples) ? (triples as readonly Triple[]) : [triples as Triple]
    checkTriples('triples', list, this.#context.limits)
    const signature = this.#context.indexes.records.signature(list)
    if (signature === undefined)
      throw invalid('triples is empty; expected a statement, or an array of some', { what: 'triples' })
    return signature
  }

  async toTriples(signature: Signature, options: SignatureToTriplesOptions = {}): Promise<FoundTriple[]> {
    checkSignature(signature)
    checkKeys('signatureToTriples', options, ['k'])
    const { k = DEFAULT_K } = options
    checkWhole('k', k, 1, MOST)
    const { kernel, records } = this.#context.indexes
    const found = decodeRecord(kernel, records, signature, this.#vocabulary.codebooks()).slice(0, k)
    const spelt = await this.#spelt(found.map(({ triple }) => triple))
    return found.map(({ triple, z }, i) => ({
      triple: spelt[i],
      similarity: correctedSimilarity(kernel, signature, records.signature([triple])!),
      z,
    }))
  }

  async ofBelief(belief: BeliefToEncode | BeliefId): Promise<Signature> {
    return this.#believed.signature(await this.#content(belief))
  }

  async #content(belief: BeliefToEncode | BeliefId): Promise<BeliefContent> {
    if (typeof belief !== 'string') return contentOf(belief, this.#context)
    checkId('belief', belief, this.#context.limits)
    const held = await this.#beliefs.get(belief)
    if (held === undefined)
      throw new AgidbError('AGIDB_NOT_FOUND', `there is no belief with the id ${JSON.stringify(belief)}`, {
        id: belief,
      })
    return contentOfHeld(held)
  }

  async toBelief(signature: Signature): Promise<FoundBeliefContent | undefined> {
    checkSignature(signature)
    const { kernel, records } = this.#context.indexes
    const confidence = this.#believed.confidence(signature)
    if (confidence === undefined) return undefined
    const similarity = (content: BeliefContent) =>
      correctedSimilarity(kernel, signature, this.#believed.signature(content))
    const [found] = decodeRecord(kernel, records, signature, this.#vocabulary.codebooks())
    if (found !== undefined) {
      const [triple] = await this.#spelt([found.triple])
      const belief = this.#beliefs.held().findLast((held) => isSame(tripleOf(held), triple))?.id
      return {
        triple,
        confidence,
        ...(belief !== undefined && { belief }),
        similarity: similarity({ claim: '', triple, confidence }),
      }
    }
    let best: { readonly held: Standing; readonly z: number } | undefined
    for (const held of this.#beliefs.held()) {
      const z = tripleOf(held) === undefined ? this.#believed.claims(signature, held.claim) : undefined
      if (z !== undefined && z >= (best?.z ?? 0)) best = { held, z }
    }
    if (best === undefined) return undefined
    const { claim, id } = best.held
    return { claim, confidence, belief: id, similarity: similarity({ claim, confidence }) }
  }

  toModality(signature: Signature, modality: Modality): Signature {
    checkSignature(signature)
    return this.#episodes.modality(signature, modality)
  }

  ofModality(id: EpisodeId, modality: Modality): Promise<Signature | undefined> {
    return this.#episodes.modalityOf(id, modality)
  }

  ofEpisode(id: EpisodeId): Promise<Signature> {
    return this.#episodes.signature(id)
  }

  async toEpisode(signature: Signature): Promise<FoundEpisodeContent> {
    return { triples: await this.toTriples(signature, { k: MOST }), ...this.#episodes.content(signature) }
  }

  async analogy(a: string, b: string, c: string, options: AnalogyOptions = {}): Promise<Analogous[]> {
    const { limits, clock } = this.#context
    for (const [what, name] of Object.entries({ a, b, c })) checkId(what, name, limits)
    checkKeys('analogy', options, ['k'])
    const { k = DEFAULT_K } = options
    checkWhole('k', k, 1, MOST)
    const now = clock()
    const sources = {
      context: this.#context,
      believed: () => this.#statements(),
      names: (concept: string) => this.#beliefs.names(concept, now),
    }
    return (await analogous(sources, a, b, c)).slice(0, k)
  }

  /** The statements of the beliefs that are held. */
  #statements(): Triple[] {
    return this.#beliefs.held().flatMap((held) => tripleOf(held) ?? [])
  }

  /** Statements of keys in spellings of the memory. */
  async #spelt(triples: readonly Triple[]): Promise<Triple[]> {
    const subjects = await this.#vocabulary.spelt(triples.map(({ subject }) => subject))
    const predicates = await this.#vocabulary.speltPredicates(triples.map(({ predicate }) => predicate))
    const objects = await this.#vocabulary.spelt(triples.map(({ object }) => object))
    return triples.map((_, i) => ({ subject: subjects[i], predicate: predicates[i], object: objects[i] }))
  }
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` */
function checkSignature(signature: unknown): void {
  if (signature instanceof Uint8Array && signature.length === SIGNATURE_BYTES) return
  const what = signature instanceof Uint8Array ? `has ${signature.length} bytes` : 'is no Uint8Array'
  throw invalid(`signature ${what}; expected a Uint8Array of ${SIGNATURE_BYTES} bytes`, { what: 'signature' })
}

/** @throws AgidbError `AGIDB_INVALID_ARGUMENT` where something like a belief says nothing. */
function contentOf(belief: BeliefToEncode, { limits }: MemoryContext): BeliefContent {
  if (typeof belief !== 'object' || belief === null)
    throw invalid('belief must be an id, or { claim, subject, predicate, object, confidence }', { what: 'belief' })
  const { claim, subject, predicate, object, confidence = DEFAULT_CONFIDENCE } = belief
  if (claim !== undefined) checkText('belief.claim', claim, limits, FIELD_LIMITS.belief.claim)
  for (const [part, name] of Object.entries({ subject, predicate, object })) checkName(`belief.${part}`, name, limits)
  checkNumber('belief.confidence', confidence, 0, 1)
  const triple = tripleOf(belief)
  const given = [subject, predicate, object].filter((part) => part !== undefined)
  if (triple === undefined && given.length > 0)
    throw invalid('belief has a part of a statement; give subject, predicate and object, or none', { what: 'belief' })
  if (triple === undefined && claim === undefined)
    throw invalid('belief has neither a claim nor a statement; give one', { what: 'belief' })
  return { claim: claim ?? '', ...(triple && { triple }), confidence }
}

function contentOfHeld(belief: Belief): BeliefContent {
  const triple = tripleOf(belief)
  return { claim: belief.claim, ...(triple && { triple }), confidence: belief.confidence }
}

function isSame(one: Triple | undefined, other: Triple): boolean {
  return (
    one !== undefined &&
    conceptKey(one.subject) === conceptKey(other.subject) &&
    conceptKey(one.predicate) === conceptKey(other.predicate) &&
    conceptKey(one.object) === conceptKey(other.object)
  )
}
