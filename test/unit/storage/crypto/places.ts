import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Encryption } from '../../../../src/api/encryption.js'
import type { StorageAdapter } from '../../../../src/api/storage.js'
import { nodeStorage } from '../../../../src/storage/adapters/node/node.js'
import { EncryptedOpening, type EncryptionSetup } from '../../../../src/storage/crypto/encrypted-storage.js'
import { encryptedWhereNeeded } from '../../../../src/storage/crypto/where-needed.js'
import { wasm } from '../../kernel/kernels.js'

/** A storage that is encrypted where it is to be. */
export function encryptedStorage(adapter: StorageAdapter, setup: EncryptionSetup): StorageAdapter {
  return encryptedWhereNeeded(adapter, setup, async () => ({ EncryptedOpening }))
}

/** An encrypted folder of the file system, in which every row without units is one of the unit `memory`. */
export class EncryptedFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'agidb-'))

  storage(encryption: Encryption | undefined = 'keys-beside', more: Partial<EncryptionSetup> = {}): StorageAdapter {
    const setup = { cipher: wasm, unitsOf: () => ['memory'], encryption, ...more }
    return encryptedStorage(nodeStorage(this.path), setup)
  }

  /** All files, by name. */
  files(): Map<string, Uint8Array> {
    const names = readdirSync(this.path).filter((name) => !name.startsWith('lock'))
    return new Map(names.map((name) => [name, new Uint8Array(readFileSync(join(this.path, name)))]))
  }

  /** Puts files back as they were. */
  restore(files: ReadonlyMap<string, Uint8Array>): void {
    for (const [name, bytes] of files) writeFileSync(join(this.path, name), bytes)
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
