import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { AgidbError, type ErrorCode } from '../base/errors.js'

/** Files by the SHA-256 of their bytes. What goes wrong in it costs a download and no more. */
export interface FileCache {
  /** The bytes kept under a hash, whatever they have become meanwhile; `undefined` if there are none. */
  get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Keeps bytes: all of them or none, even when interrupted. */
  put(hash: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

/** How a runtime gets at files. */
export interface Files {
  /** The bytes of a URL or path. */
  read(file: string): Promise<Uint8Array<ArrayBuffer>>
  /** Whether reading costs a transfer, so that caching is worth it. */
  remote(file: string): boolean
  readonly cache?: FileCache
}

/** A file that is as it should be. */
export interface Obtained {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Its SHA-256, hexadecimal. */
  readonly hash: string
}

/**
 * Gets a file, from the cache if it is there, and checks it in either case.
 *
 * @param code of its errors.
 * @throws AgidbError with this code when it cannot be read, or has another SHA-256 than `expected`
 */
export async function obtain(
  what: string,
  source: Uint8Array<ArrayBuffer> | ArrayBuffer | string,
  expected: string | undefined,
  files: Files,
  code: ErrorCode = 'AGIDB_ENCODER',
): Promise<Obtained> {
  if (typeof source !== 'string')
    return checked(
      what,
      'the bytes given',
      source instanceof Uint8Array ? source : new Uint8Array(source),
      expected,
      code,
    )
  const cache = expected !== undefined && files.remote(source) ? files.cache : undefined
  const kept = await cache?.get(expected!).catch(() => undefined)
  if (kept !== undefined && hashOf(kept) === expected) return { bytes: kept, hash: expected }
  const obtained = checked(what, source, await read(what, source, files, code), expected, code)
  // A full disk or a browser that keeps nothing is no reason to do without the model.
  await cache?.put(obtained.hash, obtained.bytes).catch(() => {})
  return obtained
}

async function read(what: string, file: string, files: Files, code: ErrorCode): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await files.read(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AgidbError(code, `the ${what} at ${file} cannot be read: ${reason}`, { what, file }, { cause })
  }
}

function checked(
  what: string,
  file: string,
  bytes: Uint8Array<ArrayBuffer>,
  expected: string | undefined,
  code: ErrorCode,
): Obtained {
  const hash = hashOf(bytes)
  if (expected === undefined || hash === expected) return { bytes, hash }
  const message = `the ${what} (${file}, ${bytes.length} bytes) has the SHA-256 ${hash}; expected ${expected}`
  throw new AgidbError(code, message, { what, file, expected, found: hash })
}

function hashOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes))
}

/** The bytes of an answer. Throws when it is a refusal. */
export async function fetched(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
