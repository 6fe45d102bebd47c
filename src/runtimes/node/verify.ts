import type { EncryptionSecret } from '../../api/encryption.js'
import { Findings } from '../../api/findings.js'
import type { KeyFile, StoredEpisode, VerifyVisitor } from '../../api/storage.js'
import type { VerifyOptions, VerifyReport } from '../../api/verify.js'
import { AgidbError } from '../../base/errors.js'
import { reportOf, RowCheck } from '../../engine/verify.js'
import { salvageFolder, verifyFolder } from '../../storage/adapters/node/node.js'
import type { Kernel } from '../../kernel/port.js'
import { type ReadRow, rowReader } from '../../storage/crypto/row-reader.js'
import { markOfPart } from '../../storage/crypto/sealed-checkpoint.js'
import { nodeKernel, openNode } from './engine.js'

/** Of a journal that cannot be opened as it is. */
const DAMAGES = ['journal-header', 'journal-damaged', 'journal-gap', 'journal-misfit', 'journal-missing'] as const

/** Options of {@link verifyPath}. */
export interface VerifyPathOptions extends VerifyOptions {
  /**
   * Asked for what opens a memory that is encrypted with a passphrase or a key. Without it, or where it answers
   * nothing, the rows of such a memory are checked as they are stored; a repair needs it.
   */
  readonly secret?: () => Promise<EncryptionSecret | undefined>
}

/**
 * Looks at a memory in a folder that nobody has open, even at one that cannot be opened or written to. Changes nothing,
 * unless `repair` is set: then what can be read of a damaged journal becomes the journal, the damaged one is kept
 * beside it, and all that can be made again is.
 *
 * @throws AgidbError `AGIDB_IN_USE`; `AGIDB_FOREIGN_FILE`; `AGIDB_NEWER_FORMAT`; `AGIDB_STORAGE`; `AGIDB_PASSPHRASE`
 * for a wrong secret, and before anything is changed for a missing one where something is to be repaired;
 * `AGIDB_CORRUPT` where the keys of an encrypted memory are damaged
 */
export async function verifyPath(
  path: string,
  { repair = false, secret }: VerifyPathOptions = {},
): Promise<VerifyReport> {
  const reading = new Reading(await nodeKernel(), secret)
  const found = await findProblems(path, reading)
  if (!repair || found.problems.length === 0) return reportOf(found)
  if (reading.missing !== undefined) throw reading.missing
  if (found.has(...DAMAGES)) await salvageFolder(path)
  const db = await openNode({ path, encryption: reading.encryption })
  try {
    await db.verify({ repair: true })
  } finally {
    await db.close()
  }
  const left = await findProblems(path, reading)
  return reportOf(
    found,
    found.problems.map(({ code }) => code).filter((code) => !left.has(code)),
  )
}

async function findProblems(path: string, reading: Reading): Promise<Findings> {
  const findings = new Findings()
  const rows = new RowCheck(findings)
  const visitor: VerifyVisitor = {
    findings,
    digest: (bytes) => markOfPart(bytes) ?? reading.kernel.digest(bytes),
    visit(stored) {
      try {
        const open = reading.open(stored)
        if (open !== undefined) rows.visit(open)
      } catch (error) {
        const { message } = error as Error
        findings.add('row-unreadable', 'loss', message, { slot: stored.slot })
      }
    },
  }
  await verifyFolder(path, visitor, (keys) => reading.begin(keys))
  return findings
}

/** Decrypts the rows of a folder as far as it is given what that takes. */
class Reading {
  readonly kernel: Kernel
  /** What opens the memory; `undefined` where nothing is needed. */
  encryption: EncryptionSecret | undefined
  /** That the memory has a secret which was not given. */
  missing: AgidbError | undefined
  readonly #secret: VerifyPathOptions['secret']
  #open: ReadRow = (stored) => stored

  constructor(kernel: Kernel, secret: VerifyPathOptions['secret']) {
    this.kernel = kernel
    this.#secret = secret
  }

  async begin(keys: KeyFile): Promise<void> {
    try {
      await this.#read(keys)
    } catch (error) {
      if (this.encryption !== undefined || !(error instanceof AgidbError) || error.code !== 'AGIDB_PASSPHRASE')
        throw error
      this.encryption = await this.#secret?.()
      if (this.encryption === undefined) this.missing = error
      else await this.#read(keys)
    }
  }

  open(stored: StoredEpisode): StoredEpisode | undefined {
    return this.#open(stored)
  }

  async #read(keys: KeyFile): Promise<void> {
    this.#open = await rowReader(keys, { cipher: this.kernel, encryption: this.encryption })
  }
}
