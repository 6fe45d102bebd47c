import { OpenedStore } from '../../../src/storage/contract/opened-store.js'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { PLACES, storageCases } from '../../../test/contract/storage.js'

describe('the storage contract in a folder', () => {
  test.each(storageCases(PLACES.journal))('$name', async ({ run }) => {
    const folder = mkdtempSync(join(tmpdir(), 'agidb-'))
    const path = join(folder, 'journal.agidb')
    const journal = {
      read: async () => new Uint8Array(await readFile(path)),
      write: (bytes: Uint8Array) => writeFile(path, bytes),
    }
    const files = async () =>
      new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]))
    try {
      await run({ storage: () => new OpenedStore(nodeStorage(folder)), ...PLACES.journal, journal, files, runs: 60 })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the storage contract in memory', () => {
  test.each(storageCases(PLACES.memory))('$name', async ({ run }) => {
    await run({ storage: () => new OpenedStore(memoryStorage()), ...PLACES.memory, runs: 60 })
  })
})
