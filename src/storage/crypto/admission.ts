// Whether a tab may use a memory that another tab has open: what it asks of encryption must be what that one has.
// Secrets do not cross. A tab sends random bytes, and the SHA-256 of these and its secret; the owner makes the same of
// its own.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import type { Encryption, EncryptionSecret, EncryptionStats } from '../../api/encryption.js'
import type { Stats } from '../../api/stats.js'
import { AgidbError } from '../../base/errors.js'
import { randomBytes } from './cipher.js'
import { wrongSecret } from './failures.js'
import { bytesOf, wrappingFor } from './secret.js'
import { besideOnly, staysEncrypted } from './unlock.js'

const PURPOSE = new TextEncoder().encode('agidb admission')

/** What opens a memory, without what is secret of it. */
interface Named {
  readonly kind: EncryptionStats['kind']
  /** Empty where there is no secret. */
  readonly digest: string
}

/** What a tab asks of the owner. */
interface Asked {
  readonly salt: Uint8Array
  readonly wish: Named | undefined
  readonly replaces: Named | undefined
}

/** Asks the owner, in another tab, whether this one may use its memory. */
export async function askAdmission(
  encryption: Encryption | undefined,
  send: (asked: unknown) => Promise<unknown>,
): Promise<void> {
  const salt = randomBytes(16).slice()
  const replaces = typeof encryption === 'object' ? encryption.replaces : undefined
  const asked: Asked = {
    salt,
    wish: encryption && named(encryption, salt),
    replaces: replaces && named(replaces, salt),
  }
  try {
    await send(asked)
  } catch (error) {
    // An owner of a version that knows no such question lets every tab in.
    if (!(error instanceof AgidbError) || error.details['method'] !== 'admit') throw error
  }
}

/** Answers what a tab asks, as an opening of the memory would; but nothing is changed while it is open. */
export async function admit(
  engine: { stats(): Promise<Pick<Stats, 'encryption'>> },
  encryption: Encryption | undefined,
  asked: unknown,
): Promise<void> {
  const { salt, wish, replaces } = asked as Asked
  const own: Named =
    typeof encryption === 'object'
      ? named(encryption, salt)
      : { kind: (await engine.stats()).encryption.kind, digest: '' }
  const isOwn = (other: Named | undefined) => other?.kind === own.kind && other.digest === own.digest
  if (isOwn(wish)) return
  if (own.kind === 'passphrase' || own.kind === 'key') {
    if (isOwn(replaces)) throw openElsewhere()
    throw wrongSecret(own.kind, hasSecret(replaces ?? wish))
  }
  if (wish === undefined) return
  if (own.kind === 'none' || (hasSecret(wish) && isOwn(replaces))) throw openElsewhere()
  throw hasSecret(wish) ? besideOnly() : staysEncrypted()
}

function hasSecret(named: Named | undefined): boolean {
  return named?.kind === 'passphrase' || named?.kind === 'key'
}

function named(secret: EncryptionSecret | 'none', salt: Uint8Array): Named {
  if (typeof secret === 'string') return { kind: secret, digest: '' }
  return { kind: wrappingFor(secret), digest: bytesToHex(sha256(concatBytes(PURPOSE, salt, bytesOf(secret)))) }
}

function openElsewhere(): AgidbError {
  return new AgidbError(
    'AGIDB_IN_USE',
    'another tab or process has this memory open, so its encryption cannot be begun or changed: close it there first',
    { option: 'encryption' },
  )
}
