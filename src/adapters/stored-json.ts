import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { jsonObject } from '../api/check-json.js'
import type { Observation } from '../api/episode.js'
import { FIELD_LIMITS } from '../api/field-limits.js'
import type { JsonObject } from '../api/json.js'
import { AgidbError } from '../base/errors.js'
import { encodeUtf8 } from '../base/utf8.js'

/** UTF-16 units of a JSON text that the metadata of one episode holds at most. */
const PIECE = 5_000

/** UTF-16 units of a text that is not cut. */
const SHORT = 1_000

/** The member by which bytes are told from other objects. */
const BYTES = 'agidb:base64'

/**
 * The JSON text of a value that {@link fromJson} is to give back unchanged; bytes are written in Base64. Members that
 * are `undefined` are left out.
 *
 * @throws AgidbError `AGIDB_INVALID_ARGUMENT` for what JSON cannot say: circles, bigints, functions, maps, sets
 */
export function jsonOf(what: string, value: unknown): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value, encoded)
  } catch (cause) {
    throw notJson(what, (cause as Error).message, cause)
  }
  if (json === undefined) throw notJson(what, `it is ${typeof value}`)
  return json
}

/** The value that {@link jsonOf} wrote. */
export function fromJson(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => {
    const base64 = base64Of(value)
    return base64 === undefined ? value : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  })
}

/**
 * Checks the metadata of episodes that are to be stored.
 *
 * @throws AgidbError what a memory refuses it with: `AGIDB_TOO_LARGE`, `AGIDB_INVALID_TEXT`, `AGIDB_INVALID_ARGUMENT`
 */
export function checkMetadata(episodes: readonly Pick<Observation, 'metadata'>[]): void {
  for (const { metadata } of episodes) jsonObject('metadata', metadata, FIELD_LIMITS.episode.metadata)
}

/** The digest of a value that does not depend on the order of the members of its objects. */
export function digestOfValue(what: string, value: unknown): string {
  return digestOf(JSON.stringify(JSON.parse(jsonOf(what, value)), sorted))
}

/** Bytes of the metadata of an episode that are kept free for the members that the number of pieces is said by. */
const COUNTS = 16
/** Bytes that a piece has room for at least: with less, a long value would take thousands of episodes. */
const LEAST_ROOM = 256

/**
 * Bytes that are left in the metadata of an episode for a piece of JSON.
 *
 * @param metadata all else that it says, with an empty text where the piece stands
 */
export function roomIn(metadata: JsonObject): number {
  const taken = encodeUtf8(JSON.stringify(metadata)).length + COUNTS
  return Math.max(FIELD_LIMITS.episode.metadata.jsonBytes - taken, LEAST_ROOM)
}

/**
 * Pieces of a JSON text that each fit into the metadata of an episode. No character is cut in two.
 *
 * @param room bytes that there are for the first piece, and for each further one, as {@link roomIn} counts them
 */
export function piecesOf(json: string, room: number, further = room): string[] {
  const pieces: string[] = []
  for (let from = 0; from < json.length; ) {
    let to = Math.min(from + PIECE, json.length)
    const most = pieces.length === 0 ? room : further
    const bytes = () => encodeUtf8(JSON.stringify(json.slice(from, to))).length - 2
    // It is cut in proportion until it fits: units have different numbers of bytes.
    for (let has = bytes(); has > most; has = bytes()) to = from + Math.floor(((to - from) * most) / has)
    if (to < json.length && isHighSurrogate(json.charCodeAt(to - 1))) to--
    pieces.push(json.slice(from, to))
    from = to
  }
  return pieces
}

/** The first 16 bytes of the SHA-256 of a text, as hexadecimal digits. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(encodeUtf8(text)).subarray(0, 16))
}

/**
 * A text in as many parts, of about the same length, but a short one is not cut. A part without words is replaced by an
 * ellipsis.
 */
export function partsOf(text: string, parts: number): string[] {
  const size = Math.max(Math.ceil(text.length / parts), SHORT)
  return Array.from({ length: parts }, (_, i) => {
    const part = text.slice(i * size, (i + 1) * size).replace(/\p{Surrogate}/gu, '\ufffd')
    return part.trim() === '' ? '…' : part
  })
}

function encoded(this: unknown, key: string, value: unknown): unknown {
  // What has a method `toJSON`, as Node's buffers have, is replaced before this is called.
  const original = (this as Record<string, unknown>)[key]
  if (original instanceof Uint8Array) {
    let characters = ''
    for (const byte of original) characters += String.fromCharCode(byte)
    return { [BYTES]: btoa(characters) }
  }
  if (ArrayBuffer.isView(original) || original instanceof ArrayBuffer) throw new TypeError('it holds an ArrayBuffer')
  if (original instanceof Map || original instanceof Set) throw new TypeError('it holds a Map or a Set')
  if (typeof original === 'function' || typeof original === 'symbol')
    throw new TypeError(`it holds a ${typeof original}`)
  if (base64Of(original) !== undefined) throw new TypeError(`it has a member ${BYTES}`)
  return value
}

/** What {@link encoded} made of bytes. */
function base64Of(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, BYTES)) return undefined
  const base64 = (value as Record<string, unknown>)[BYTES]
  return typeof base64 === 'string' ? base64 : undefined
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function notJson(what: string, fault: string, cause?: unknown): AgidbError {
  const right = 'strings, numbers, booleans, null, bytes, arrays and objects'
  const message = `${what} cannot be stored as JSON: ${fault}; expected ${right}`
  return new AgidbError('AGIDB_INVALID_ARGUMENT', message, { what }, { cause })
}
