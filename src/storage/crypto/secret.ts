// What the key ring is encrypted with, and how that is made of what the program gives.
import type { Encryption, EncryptionSecret } from '../../api/encryption.js'
import { KEY_BYTES, randomBytes } from './cipher.js'
import { wrongSecret } from './failures.js'

/** How the key of the ring is kept, by the number that stands in the file. Only ever append. */
const WRAPPINGS = ['keys-beside', 'key', 'passphrase'] as const
export type Wrapping = (typeof WRAPPINGS)[number]

/** The cost of Argon2id. It stands in the file, so that later versions can raise it. */
export interface Argon2Cost {
  /** Main memory, KiB. */
  readonly memory: number
  readonly passes: number
}

/**
 * The least that OWASP recommends for Argon2id (Password Storage Cheat Sheet, 2023 and since), which takes plain
 * JavaScript under a second.
 */
export const ARGON2_COST: Argon2Cost = { memory: 19_456, passes: 2 }
/** Above this a file is not what agidb wrote: it would take minutes. */
const MOST_COST: Argon2Cost = { memory: 2 ** 20, passes: 64 }

/** The key of a ring, and what the file says about it. */
export interface RingSecret {
  readonly wrapping: Wrapping
  /** 16 random bytes; used with a passphrase. */
  readonly salt: Uint8Array
  readonly cost: Argon2Cost
  /** Absent where the key stands in the file. */
  readonly key?: Uint8Array
}

export function wrappingNumber(wrapping: Wrapping): number {
  return WRAPPINGS.indexOf(wrapping)
}

export function wrappingOf(number: number): Wrapping | undefined {
  return WRAPPINGS[number]
}

/** Whether a cost that stands in a file is one that agidb may have written. */
export function isCost({ memory, passes }: Argon2Cost): boolean {
  return memory >= 8 && memory <= MOST_COST.memory && passes >= 1 && passes <= MOST_COST.passes
}

/** The secret of a new ring. */
export async function newSecret(wish: Exclude<Encryption, 'none'>): Promise<RingSecret> {
  const salt = randomBytes(16)
  const wrapping = wrappingFor(wish)
  return { wrapping, salt, cost: ARGON2_COST, key: await keyOf(wish, salt, ARGON2_COST) }
}

/**
 * The key of a ring that says this about itself.
 *
 * @throws AgidbError `AGIDB_PASSPHRASE` where another kind of secret was given than the ring has
 */
export async function secretFor(
  { wrapping, salt, cost }: Omit<RingSecret, 'key'>,
  given: EncryptionSecret | undefined,
): Promise<RingSecret> {
  if (wrapping === 'keys-beside') return { wrapping, salt, cost }
  if (given === undefined || wrappingFor(given) !== wrapping)
    throw wrongSecret(wrapping, given !== undefined && given !== 'keys-beside')
  return { wrapping, salt, cost, key: await keyOf(given, salt, cost) }
}

/** How the key of a ring is kept that this unlocks. */
export function wrappingFor(secret: EncryptionSecret): Wrapping {
  if (secret === 'keys-beside') return secret
  return 'key' in secret ? 'key' : 'passphrase'
}

async function keyOf(secret: EncryptionSecret, salt: Uint8Array, cost: Argon2Cost): Promise<Uint8Array | undefined> {
  if (secret === 'keys-beside') return undefined
  if ('key' in secret) return secret.key.slice()
  // 60 kB of code that only passphrases need.
  const { argon2idAsync } = await import('@noble/hashes/argon2.js')
  return argon2idAsync(bytesOf(secret), salt, { m: cost.memory, t: cost.passes, p: 1, dkLen: KEY_BYTES })
}

/** The bytes of a passphrase or key. */
export function bytesOf(secret: Exclude<EncryptionSecret, string>): Uint8Array {
  if ('key' in secret) return secret.key
  // Composed and decomposed letters look the same to the person who types them (RFC 8265, section 4.2.2).
  return new TextEncoder().encode(secret.passphrase.normalize('NFC'))
}
