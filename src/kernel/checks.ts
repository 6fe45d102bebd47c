import { AgidbError } from '../base/errors.js'
import {
  type Arena,
  type ArenaOptions,
  DIMENSION,
  type KeptImage,
  NO_SLOT,
  type Query,
  SIGNATURE_BYTES,
  TAG_BYTES,
  type Terms,
} from './port.js'

/** Bit planes of a weighted query: magnitudes of 4 bits. */
export const PLANES = 4
const MAX_SLOT = NO_SLOT - 1
/** Of a feature of a word: the sum over any text stays in an int32. */
const MAX_WEIGHT = 15
/** No sum of rows comes near the largest float32. */
const MAX_FACTOR = 1e30
const MAX_SUM = 0x7fffffff

/** Throws `AGIDB_INVALID_ARGUMENT`: `what` is not `right`. */
export function refuse(what: string, right: string, got: unknown): never {
  throw new AgidbError('AGIDB_INVALID_ARGUMENT', `${what} must be ${right}, not ${describe(got)}`, { argument: what })
}

function describe(value: unknown): string {
  if (ArrayBuffer.isView(value)) {
    return `${value.constructor.name} of length ${(value as Uint8Array).length ?? value.byteLength}`
  }
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'object') return value.constructor?.name ?? 'object'
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
}

export function checkVector(vector: Uint8Array, what: string): void {
  if (!(vector instanceof Uint8Array) || vector.length !== SIGNATURE_BYTES) {
    refuse(what, `a hypervector (Uint8Array of length ${SIGNATURE_BYTES})`, vector)
  }
}

export function checkShift(shift: number): void {
  if (!Number.isSafeInteger(shift)) refuse('shift', 'an integer', shift)
}

export function checkSeed(seed: Uint8Array): void {
  if (!(seed instanceof Uint8Array) || seed.length !== 32) refuse('seed', 'a Uint8Array of length 32', seed)
}

export function checkName(name: string): void {
  if (typeof name !== 'string') refuse('name', 'a string', name)
}

export function checkNames(names: readonly string[]): void {
  if (!Array.isArray(names)) refuse('names', 'an array of strings', names)
  for (const name of names) checkName(name)
}

/** Weights must match what they weigh in number, and no sum of them may leave the range of an int32. */
export function checkWeights(weights: Int32Array, count: number): void {
  if (!(weights instanceof Int32Array) || weights.length !== count) {
    refuse('weights', `an Int32Array of length ${count}`, weights)
  }
  let total = 0
  for (let i = 0; i < weights.length; i++) total += Math.abs(weights[i])
  if (total > MAX_SUM) refuse('the sum of the absolute weights', 'less than 2^31', total)
}

/**
 * A word with the names and weights of its features. A text counts `pair:FIRST SECOND`, too, so a space in a word or
 * a feature of such a name could make two different things look alike.
 */
export function checkFeatures(word: string, names: readonly string[], weights: Uint32Array): void {
  checkName(word)
  if (word.includes(' ')) refuse('word', 'a string without a space', word)
  checkNames(names)
  for (const name of names) {
    if (name.startsWith('pair:')) refuse('names', 'strings that do not start with pair:', name)
  }
  const right = `a Uint32Array of length ${names.length}, of numbers from 1 to ${MAX_WEIGHT}`
  if (!(weights instanceof Uint32Array) || weights.length !== names.length) refuse('weights', right, weights)
  for (const weight of weights) if (weight < 1 || weight > MAX_WEIGHT) refuse('weights', right, weight)
}

/** Words by number, of a lexicon that has `count`. */
export function checkWords(words: Uint32Array, count: number): void {
  if (!(words instanceof Uint32Array)) refuse('words', 'a Uint32Array', words)
  for (const word of words)
    if (word >= count) refuse('words', `numbers under ${count}, the number of words of the lexicon`, word)
}

export function checkSum(sum: Int32Array): void {
  if (!(sum instanceof Int32Array) || sum.length !== DIMENSION) {
    refuse('sum', `an Int32Array of length ${DIMENSION}`, sum)
  }
}

/** Latents that have no direction cannot be projected. */
export function checkLatent(latent: Float32Array): void {
  if (!(latent instanceof Float32Array) || latent.length === 0 || latent.length > DIMENSION) {
    refuse('latent', `a Float32Array of length 1 to ${DIMENSION}`, latent)
  }
  let largest = 0
  for (let i = 0; i < latent.length; i++) {
    if (!Number.isFinite(latent[i])) refuse(`latent[${i}]`, 'a finite number', latent[i])
    largest = Math.max(largest, Math.abs(latent[i]))
  }
  if (largest === 0) {
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'latent must have a direction, not be the zero vector', {
      argument: 'latent',
    })
  }
}

export function checkTerms({ rows, factors, terms }: Terms): void {
  if (!(factors instanceof Float64Array)) refuse('factors', 'a Float64Array', factors)
  for (let i = 0; i < factors.length; i++)
    if (!(Math.abs(factors[i]) <= MAX_FACTOR))
      refuse('factors', `numbers from ${-MAX_FACTOR} to ${MAX_FACTOR}`, factors[i])
  const length = rows?.length / Math.max(1, factors.length)
  if (!(rows instanceof Int8Array) || !Number.isInteger(length) || length > DIMENSION) {
    refuse('rows', `an Int8Array with as many numbers, up to ${DIMENSION}, for each of the factors`, rows)
  }
  if (!(terms instanceof Uint16Array)) refuse('terms', 'a Uint16Array', terms)
  for (let i = 0; i < terms.length; i++)
    if (terms[i] >= factors.length) refuse('terms', `numbers under ${factors.length}, the number of factors`, terms[i])
}

/** Vectors of a length, one after the other. */
export function checkVectors(vectors: Float32Array, length: number, what: string): void {
  if (!Number.isInteger(length) || length < 1) refuse('length', 'an integer of 1 or more', length)
  if (!(vectors instanceof Float32Array) || vectors.length % length !== 0)
    refuse(what, `a Float32Array of vectors of length ${length}`, vectors)
}

/** Rows of a length, one after the other, to be compared with those of terms. */
export function checkOthers({ rows, factors }: Terms, others: Int8Array, length: number): void {
  if (!Number.isInteger(length) || length < 1 || length > DIMENSION)
    refuse('length', `an integer from 1 to ${DIMENSION}`, length)
  if (rows.length !== length * factors.length) refuse('rows', `${length} numbers for each of the factors`, rows.length)
  if (!(others instanceof Int8Array) || others.length % length !== 0)
    refuse('others', `an Int8Array of rows of length ${length}`, others)
}

export function checkEnds(ends: Uint32Array, count: number): void {
  if (!(ends instanceof Uint32Array) || ends.some((end, i) => end < (ends[i - 1] ?? 0) || end > count)) {
    refuse('ends', `a Uint32Array of ascending numbers up to ${count}`, ends)
  }
}

/** Room for `count` signatures, of which each begins `every` bytes after the one before. */
export function checkRoom(into: Uint8Array, count: number, every = SIGNATURE_BYTES): void {
  const least = count === 0 ? 0 : (count - 1) * every + SIGNATURE_BYTES
  if (!(into instanceof Uint8Array) || into.length < least)
    refuse('into', `a Uint8Array of length ${least} or more`, into)
}

export function checkArena({ rows = 0 }: ArenaOptions): void {
  if (!Number.isInteger(rows) || rows < 0 || rows > MAX_SLOT) refuse('rows', `an integer from 0 to ${MAX_SLOT}`, rows)
}

export function checkSlot(slot: number): void {
  if (!Number.isInteger(slot) || slot < 0 || slot > MAX_SLOT) refuse('slot', `an integer from 0 to ${MAX_SLOT}`, slot)
}

export function checkSlots(slots: Uint32Array): void {
  if (!(slots instanceof Uint32Array)) refuse('slots', 'a Uint32Array', slots)
}

export function checkRows(slots: Uint32Array, signatures: Uint8Array): void {
  checkSlots(slots)
  if (slots.includes(NO_SLOT)) refuse('slots', `integers from 0 to ${MAX_SLOT}`, slots)
  if (!(signatures instanceof Uint8Array) || signatures.length !== slots.length * SIGNATURE_BYTES) {
    refuse('signatures', `a Uint8Array of length ${slots.length * SIGNATURE_BYTES}`, signatures)
  }
}

export function checkQuery(query: Query): void {
  checkVector(query?.signs, 'query.signs')
  const { planes } = query
  if (planes !== undefined && (!(planes instanceof Uint8Array) || planes.length !== PLANES * SIGNATURE_BYTES)) {
    refuse('query.planes', `a Uint8Array of length ${PLANES * SIGNATURE_BYTES} or absent`, planes)
  }
}

export function checkScan(query: Query, k: number, allow: Uint32Array | undefined): void {
  checkQuery(query)
  checkBest(k, allow)
}

export function checkScanMany(queries: readonly Query[], k: number, allow: Uint32Array | undefined): void {
  if (!Array.isArray(queries)) refuse('queries', 'an array of queries', queries)
  queries.forEach(checkQuery)
  checkBest(k, allow)
}

/** Places must match what is there: those of blocks, of which so many places take `blocksOf`, then a row each. */
export function checkImage(
  { layout, slots, rows, blocks }: KeptImage,
  own: string,
  blocksOf: (places: number) => number,
  size: number,
): void {
  if (layout !== own) refuse('image.layout', JSON.stringify(own), layout)
  if (!(slots instanceof Uint32Array)) refuse('image.slots', 'a Uint32Array', slots)
  const places = slots.length - rows?.length / SIGNATURE_BYTES
  if (!(rows instanceof Uint8Array) || !Number.isInteger(places) || places < 0) {
    refuse('image.rows', `a Uint8Array of at most ${slots.length} hypervectors`, rows)
  }
  if (blocks !== blocksOf(places)) refuse('image.blocks', `the blocks of ${places} places`, blocks)
  if (slots.includes(NO_SLOT, places)) refuse('image.slots', 'a slot for each row', slots)
  if (size > 0)
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'only an empty arena can be restored; make a new one', { size })
}

export function checkWhole(arena: Pick<Arena, 'awaited'>): void {
  const awaited = arena.awaited().length
  if (awaited > 0)
    throw new AgidbError('AGIDB_INVALID_ARGUMENT', 'blocks of this arena are awaited; an image has all of them', {
      awaited,
    })
}

/** A whole signature from `at` on, and room for it. */
export function checkAdded(bytes: Uint8Array, at: number, room: boolean): void {
  if (!room)
    throw new AgidbError(
      'AGIDB_INVALID_ARGUMENT',
      'the batch is full; say at the beginning how many signatures will come',
    )
  if (!(bytes instanceof Uint8Array) || !(at >= 0 && at + SIGNATURE_BYTES <= bytes.length))
    refuse('bytes', `a Uint8Array with ${SIGNATURE_BYTES} from ${at} on`, bytes)
}

export function checkMost(most: number): void {
  if (!Number.isInteger(most) || most < 0 || most > MAX_SLOT) refuse('most', `an integer from 0 to ${MAX_SLOT}`, most)
}

export function checkBytes(bytes: Uint8Array): void {
  if (!(bytes instanceof Uint8Array)) refuse('bytes', 'a Uint8Array', bytes)
}

/** Checks what is to be encrypted or decrypted, and with what. */
export function checkCipher(key: Uint8Array, nonce: Uint8Array, associated: Uint8Array, text: Uint8Array): void {
  if (!(key instanceof Uint8Array) || key.length !== 32) refuse('key', 'a Uint8Array of length 32', typeof key)
  if (!(nonce instanceof Uint8Array) || nonce.length !== 24) refuse('nonce', 'a Uint8Array of length 24', nonce)
  checkBytes(associated)
  checkBytes(text)
}

/** @throws TypeError unless an encrypted text fits exactly */
export function checkSealedRoom(into: Uint8Array, text: Uint8Array): void {
  const bytes = text.length + TAG_BYTES
  if (!(into instanceof Uint8Array) || into.length !== bytes) refuse('into', `a Uint8Array of length ${bytes}`, into)
}

function checkBest(k: number, allow: Uint32Array | undefined): void {
  if (!Number.isInteger(k) || k < 0) refuse('k', 'an integer of 0 or more', k)
  if (allow !== undefined && !(allow instanceof Uint32Array)) refuse('allow', 'a Uint32Array or absent', allow)
}
