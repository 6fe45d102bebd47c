import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { EncryptionSecret } from '../../api/encryption.js'
import type { KeyFile } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { type Cipher, KEY_BYTES, newNonce, randomBytes } from './cipher.js'
import { keysMissing, wrongSecret } from './failures.js'
import {
  authenticated,
  readRingFile,
  RING_VERSION,
  type RingCopy,
  type RingHeader,
  writeRingCopy,
} from './ring-file.js'
import { type KeyNumbers, MAX_KEYS, sealedHead } from './sealed.js'
import { newSecret, type RingSecret, secretFor, type Wrapping } from './secret.js'

/** Bytes of the name of a unit in the ring: a keyed hash, so that the ring does not tell the names. */
const TAG_BYTES = 16
/** In the body: the next number, how many keys, the key of the hashes, the key of the checkpoint; then the keys. */
const HEAD_BYTES = 8 + 2 * KEY_BYTES
/** Number, state, three free bytes, hash of the unit, key. */
const ENTRY_BYTES = 8 + TAG_BYTES + KEY_BYTES
/** Keys made of several that are kept in main memory. */
const KEPT_COMBINED = 4096

/** The key of one unit. */
interface UnitKey {
  readonly number: number
  /** Hash of the name of the unit, in hexadecimal digits. */
  readonly tag: string
  readonly bytes: Uint8Array
  /** It is to be dropped, as soon as every live row under it is under another one. */
  retiring: boolean
}

/** What a row is encrypted with. */
export interface DataKey extends KeyNumbers {
  readonly bytes: Uint8Array
  /** What stands before a text that is encrypted with it. */
  readonly head: Uint8Array
}

/**
 * The keys of a memory: one for each unit that can be erased by itself, and one for checkpoints. What is changed counts
 * from {@link KeyRing.save} on.
 */
export class KeyRing {
  readonly #file: KeyFile
  readonly #cipher: Cipher
  #secret: RingSecret
  readonly #id: Uint8Array
  #sequence: number
  #next = 1
  #tagKey: Uint8Array
  #checkpointKey: Uint8Array
  readonly #byNumber = new Map<number, UnitKey>()
  /** The keys in use, by the hash of their unit. */
  readonly #byTag = new Map<string, UnitKey>()
  readonly #tags = new Map<string, string>()
  readonly #single = new Map<number, DataKey>()
  readonly #combined = new Map<string, DataKey>()
  #changed = false
  #dropped = 0
  #hasStaleCopy = false

  private constructor(file: KeyFile, cipher: Cipher, secret: RingSecret, id: Uint8Array, sequence: number) {
    this.#file = file
    this.#cipher = cipher
    this.#secret = secret
    this.#id = id
    this.#sequence = sequence
    this.#tagKey = randomBytes(KEY_BYTES)
    this.#checkpointKey = randomBytes(KEY_BYTES)
  }

  /** A ring without keys, which is not yet in its file. */
  static async create(file: KeyFile, wish: EncryptionSecret, cipher: Cipher): Promise<KeyRing> {
    const ring = new KeyRing(file, cipher, await newSecret(wish), randomBytes(16), 0)
    ring.#changed = true
    return ring
  }

  /**
   * The ring that is in a file; `undefined` where there is none.
   *
   * @throws AgidbError `AGIDB_PASSPHRASE`; `AGIDB_NEWER_FORMAT`; `AGIDB_CORRUPT` where what is there cannot be read.
   */
  static async open(file: KeyFile, given: EncryptionSecret | undefined, cipher: Cipher): Promise<KeyRing | undefined> {
    const { copy, other } = await readRingFile(file)
    if (copy === undefined) return undefined
    const { header } = copy
    if (header.version > RING_VERSION) {
      const message =
        `keys.agidb has format ${header.version}; this version of agidb reads formats up to ${RING_VERSION}: ` +
        'use a newer one'
      throw new AgidbError('AGIDB_NEWER_FORMAT', message, { version: header.version, supported: RING_VERSION })
    }
    const secret = await secretFor(header, given)
    const body = cipher.unseal(secret.key ?? header.key, header.nonce, authenticated(header), copy.body)
    if (body === undefined) throw secret.wrapping === 'keys-beside' ? damagedRing() : wrongSecret(secret.wrapping, true)
    const ring = new KeyRing(file, cipher, secret, header.id, header.sequence)
    ring.#decode(body)
    ring.#hasStaleCopy = other !== undefined && (other === 'damaged' || !ring.#covers(other))
    return ring
  }

  /** How the ring is kept. */
  get wrapping(): Wrapping {
    return this.#secret.wrapping
  }

  /** Names the ring in whatever is authenticated with a text. */
  get id(): Uint8Array {
    return this.#id
  }

  /** Keys of units. */
  get size(): number {
    return this.#byNumber.size
  }

  /** The numbers of the keys of units, ascending. */
  get numbers(): number[] {
    return [...this.#byNumber.keys()].sort((a, b) => a - b)
  }

  /** How often keys were dropped. */
  get dropped(): number {
    return this.#dropped
  }

  /** The key of the checkpoints that are written from now on. */
  get checkpointKey(): Uint8Array {
    return this.#checkpointKey
  }

  /** Whether there is something to {@link save}. */
  get hasChanged(): boolean {
    return this.#changed
  }

  /** Whether an erasure was begun and not ended. */
  get isRetiring(): boolean {
    return [...this.#byNumber.values()].some(({ retiring }) => retiring)
  }

  /**
   * Whether the other copy in the file has something that this one has dropped: a key, or an older secret. A crash
   * between the two writings of {@link saveBoth} leaves it.
   */
  get hasStaleCopy(): boolean {
    return this.#hasStaleCopy
  }

  /** Encrypts the ring with something else from the next {@link save} on. */
  async rewrap(wish: EncryptionSecret): Promise<void> {
    this.#secret = await newSecret(wish)
    this.#changed = true
  }

  /**
   * What rows are encrypted with that belong to all of these units; makes the keys that are missing.
   *
   * @param replaced what the row before is encrypted with: its keys are needed, too, so that without one of the keys of
   * the first version none can be read. Without it there must be a unit.
   */
  keyOf(units: readonly string[], replaced?: KeyNumbers): DataKey {
    const before = (replaced?.numbers ?? []).map((number) => this.#byNumber.get(number)!)
    const own = new Set(units.slice(0, MAX_KEYS - before.length).map((unit) => this.#unitKey(unit)))
    for (const key of before) own.delete(key)
    const more = [...own].sort((a, b) => a.number - b.number)
    return this.#dataKey([...before, ...more], replaced?.first ?? more.length)
  }

  /**
   * What rows with these numbers are encrypted with; `erased` where one of the keys was dropped.
   *
   * @throws AgidbError `AGIDB_CORRUPT` for a number that the ring never gave: it is older than the rows.
   */
  find({ numbers, first }: KeyNumbers): DataKey | 'erased' {
    if (numbers.length === 1) {
      const known = this.#single.get(numbers[0])
      if (known !== undefined) return known
    }
    const keys: UnitKey[] = []
    for (const number of numbers) {
      if (number >= this.#next)
        throw keysMissing('its keys are not there: keys.agidb is missing, or is a copy of an earlier day')
      const key = this.#byNumber.get(number)
      if (key === undefined) return 'erased'
      keys.push(key)
    }
    return this.#dataKey(keys, first)
  }

  /** Whether a row with these numbers has to be written anew before their keys may be dropped. */
  needsRenewal({ numbers }: KeyNumbers): boolean {
    return numbers.some((number) => this.#byNumber.get(number)?.retiring === true)
  }

  /**
   * Rows with these numbers, and all their versions, are to become unreadable: of the keys that every version has, one
   * at least is retired, and its unit gets another one. Answers whether any was.
   */
  retire(rows: readonly KeyNumbers[]): boolean {
    let any = false
    // Those with one key first: the others may need no other.
    for (const { numbers, first } of [...rows].sort((a, b) => a.first - b.first)) {
      const keys = numbers.slice(0, first).map((number) => this.#byNumber.get(number))
      if (keys.some((key) => key === undefined || key.retiring)) continue
      const [key] = keys
      key!.retiring = true
      if (this.#byTag.get(key!.tag) === key) this.#byTag.delete(key!.tag)
      any = true
    }
    if (any) this.#combined.clear()
    this.#changed ||= any
    return any
  }

  /** What a row with these numbers is to be encrypted with, so that it needs none that is retiring. */
  renewedKey({ numbers, first }: KeyNumbers): DataKey {
    const keys = numbers.map((number) => {
      const key = this.#byNumber.get(number)!
      return key.retiring ? this.#keyFor(key.tag) : key
    })
    return this.#dataKey([...new Set(keys)], new Set(keys.slice(0, first)).size)
  }

  /** Drops the keys that are retiring, and the key of the checkpoints. */
  dropRetiring(): void {
    this.#drop((key) => key.retiring)
  }

  /** Drops all keys of units but these. */
  dropAllBut(numbers: ReadonlySet<number>): void {
    this.#drop((key) => !numbers.has(key.number))
  }

  /** Writes what was changed; then it survives a crash. */
  async save(): Promise<void> {
    if (!this.#changed) return
    const copy = this.#copy()
    await writeRingCopy(this.#file, copy)
    // Not before: after a failure the next writing must not go to the copy that is whole.
    this.#sequence = copy.header.sequence
    this.#changed = false
    this.#hasStaleCopy = false
  }

  /** Writes over the other copy. */
  async overwriteStaleCopy(): Promise<void> {
    this.#changed = true
    await this.save()
  }

  /** Writes both copies anew, so that nothing of the ring before is left in its file. */
  async saveBoth(): Promise<void> {
    this.#changed = true
    await this.save()
    this.#changed = true
    await this.save()
  }

  #drop(isGone: (key: UnitKey) => boolean): void {
    for (const [number, key] of this.#byNumber) {
      if (!isGone(key)) continue
      key.bytes.fill(0)
      this.#byNumber.delete(number)
      this.#single.delete(number)
      if (this.#byTag.get(key.tag) === key) this.#byTag.delete(key.tag)
    }
    this.#combined.clear()
    this.#checkpointKey = randomBytes(KEY_BYTES)
    this.#changed = true
    this.#dropped++
  }

  #unitKey(unit: string): UnitKey {
    return this.#keyFor(this.#tagOf(unit))
  }

  #keyFor(tag: string): UnitKey {
    let key = this.#byTag.get(tag)
    if (key === undefined) {
      key = { number: this.#next++, tag, bytes: randomBytes(KEY_BYTES), retiring: false }
      this.#enter(key)
      this.#changed = true
    }
    return key
  }

  #enter(key: UnitKey): void {
    this.#byNumber.set(key.number, key)
    if (!key.retiring) this.#byTag.set(key.tag, key)
  }

  #tagOf(unit: string): string {
    let tag = this.#tags.get(unit)
    if (tag === undefined) {
      tag = bytesToHex(hmac(sha256, this.#tagKey, new TextEncoder().encode(unit)).subarray(0, TAG_BYTES))
      this.#tags.set(unit, tag)
    }
    return tag
  }

  /** Of one key that itself; of several, what HKDF-SHA-256 makes of all of them in this order. */
  #dataKey(keys: readonly UnitKey[], first: number): DataKey {
    if (keys.length === 1) {
      const [{ number, bytes }] = keys
      let single = this.#single.get(number)
      if (single === undefined) {
        const alone = { numbers: [number], first: 1 }
        this.#single.set(number, (single = { ...alone, bytes, head: sealedHead(alone) }))
      }
      return single
    }
    const numbers = keys.map(({ number }) => number)
    const name = `${numbers.join()} ${first}`
    let combined = this.#combined.get(name)
    if (combined === undefined) {
      const all = new Uint8Array(keys.length * KEY_BYTES)
      keys.forEach(({ bytes }, i) => all.set(bytes, i * KEY_BYTES))
      const bytes = hkdf(sha256, all, this.#id, new TextEncoder().encode('agidb units'), KEY_BYTES)
      combined = { numbers, first, bytes, head: sealedHead({ numbers, first }) }
      if (this.#combined.size === KEPT_COMBINED) this.#combined.clear()
      this.#combined.set(name, combined)
    }
    return combined
  }

  #copy(): RingCopy {
    const { wrapping, salt, cost, key } = this.#secret
    // Where the key lies beside the body it is a new one each time.
    const beside = key ?? randomBytes(KEY_BYTES)
    const header: RingHeader = {
      version: RING_VERSION,
      sequence: this.#sequence + 1,
      wrapping,
      id: this.#id,
      salt,
      cost,
      nonce: newNonce().slice(),
      key: key === undefined ? beside : new Uint8Array(KEY_BYTES),
    }
    return { header, body: this.#cipher.seal(beside, header.nonce, authenticated(header), this.#encode()) }
  }

  /** Whether a copy has the secret of this ring, and no key that is not in it. */
  #covers({ header, body }: RingCopy): boolean {
    const { wrapping, salt, key } = this.#secret
    const isSameSecret = header.wrapping === wrapping && header.salt.every((byte, i) => byte === salt[i])
    if (!isSameSecret || header.version !== RING_VERSION) return false
    const open = this.#cipher.unseal(key ?? header.key, header.nonce, authenticated(header), body)
    if (open === undefined) return false
    const before = new KeyRing(this.#file, this.#cipher, this.#secret, header.id, header.sequence)
    before.#decode(open)
    const isSameCheckpoint = before.#checkpointKey.every((byte, i) => byte === this.#checkpointKey[i])
    return isSameCheckpoint && [...before.#byNumber.keys()].every((number) => this.#byNumber.has(number))
  }

  #encode(): Uint8Array {
    const bytes = new Uint8Array(HEAD_BYTES + this.#byNumber.size * ENTRY_BYTES)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, this.#next, true)
    view.setUint32(4, this.#byNumber.size, true)
    bytes.set(this.#tagKey, 8)
    bytes.set(this.#checkpointKey, 8 + KEY_BYTES)
    let at = HEAD_BYTES
    for (const { number, tag, bytes: key, retiring } of this.#byNumber.values()) {
      view.setUint32(at, number, true)
      view.setUint8(at + 4, Number(retiring))
      bytes.set(hexToBytes(tag), at + 8)
      bytes.set(key, at + 8 + TAG_BYTES)
      at += ENTRY_BYTES
    }
    return bytes
  }

  #decode(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < HEAD_BYTES || bytes.length !== HEAD_BYTES + view.getUint32(4, true) * ENTRY_BYTES)
      throw damagedRing()
    this.#next = view.getUint32(0, true)
    this.#tagKey = bytes.slice(8, 8 + KEY_BYTES)
    this.#checkpointKey = bytes.slice(8 + KEY_BYTES, HEAD_BYTES)
    for (let at = HEAD_BYTES; at < bytes.length; at += ENTRY_BYTES)
      this.#enter({
        number: view.getUint32(at, true),
        retiring: view.getUint8(at + 4) !== 0,
        tag: bytesToHex(bytes.subarray(at + 8, at + 8 + TAG_BYTES)),
        bytes: bytes.slice(at + 8 + TAG_BYTES, at + ENTRY_BYTES),
      })
  }
}

function damagedRing(): AgidbError {
  return keysMissing('its keys in keys.agidb are damaged')
}
