import type { Encryption } from '../../api/encryption.js'
import type { KeyFile } from '../../api/storage.js'
import { AgidbError } from '../../base/errors.js'
import { invalid } from '../../api/check.js'
import type { Cipher } from './cipher.js'
import { KeyRing } from './key-ring.js'

/** What the program asked for, and what keys are read with. */
interface Setup {
  readonly cipher: Cipher
  readonly encryption?: Encryption
  /** The keys are only read: they keep the secret that they have. Default false. */
  readonly readOnly?: boolean
}

/**
 * The keys of a memory; `undefined` where it has none and is to have none. With `replaces` a ring that still has the
 * old secret is written anew with the new one, unless it is only read.
 *
 * @throws AgidbError `AGIDB_PASSPHRASE` for a wrong or missing secret; `AGIDB_INVALID_ARGUMENT` for `none` where the
 * memory is encrypted.
 */
export async function unlock(file: KeyFile, { cipher, encryption, readOnly }: Setup): Promise<KeyRing | undefined> {
  if (encryption === undefined || encryption === 'none' || encryption === 'keys-beside') {
    const ring = await KeyRing.open(file, undefined, cipher)
    if (ring === undefined) return encryption === 'keys-beside' ? KeyRing.create(file, encryption, cipher) : undefined
    if (encryption === 'none') throw staysEncrypted()
    return ring
  }
  const { replaces, ...wish } = encryption
  let ring: KeyRing | undefined
  try {
    ring = await KeyRing.open(file, wish, cipher)
    if (ring === undefined) return await KeyRing.create(file, wish, cipher)
    if (ring.wrapping !== 'keys-beside') return ring
    if (replaces !== 'keys-beside') throw besideOnly()
  } catch (error) {
    if (replaces === undefined || !(error instanceof AgidbError) || error.code !== 'AGIDB_PASSPHRASE') throw error
    ring = await KeyRing.open(file, replaces, cipher)
  }
  if (readOnly) return ring
  await ring!.rewrap(wish)
  await ring!.saveBoth()
  return ring
}

/** That an encrypted memory is not made plain. */
export function staysEncrypted(): AgidbError {
  return invalid(
    "the memory is encrypted, so encryption: 'none' cannot hold: leave the option out, or export the memory and " +
      'import it into another one',
    { option: 'encryption' },
  )
}

/** That keys beside the data are encrypted only where that is said. */
export function besideOnly(): AgidbError {
  return invalid(
    "the keys of the memory lie beside it, without a secret: add replaces: 'keys-beside' to encrypt them from now on",
    { option: 'encryption' },
  )
}
