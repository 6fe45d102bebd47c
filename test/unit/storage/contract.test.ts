import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { storageCases } from '../../contract/storage.js'

describe('the storage contract in a folder', () => {
  test.each(storageCases({ durable: true, journal: true }))('$name', async ({ run }) => {
    const folder = mkdtempSync(join(tmpdir(), 'agidb-'))
    const path = join(folder, 'journal.agidb')
    const journal = {
      read: async () => new Uint8Array(await readFile(path)),
      write: (bytes: Uint8Array) => writeFile(path, bytes),
    }
    const files = async () =>
      new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]))
    try {
      await run({ storage: () => nodeStorage(folder), durable: true, journal, files, runs: 60 })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('the storage contract in memory', () => {
  test.each(storageCases({ durable: false, journal: false }))('$name', async ({ run }) => {
    await run({ storage: memoryStorage, durable: false, runs: 60 })
  })
})
