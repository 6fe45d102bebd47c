import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { describe, test } from 'vitest'
import { sqliteStorage } from '../../../../src/storage/adapters/sqlite/index.js'
import { storageContract, type PartName } from '../../../../src/storage/contract/index.js'

const PARTS: readonly PartName[] = ['signatures', 'checkpoint', 'maintenance']

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-sqlite-'))
  const opened: Database.Database[] = []
  return {
    path: join(folder, 'memory.db'),
    connect(options?: Database.Options) {
      const driver = new Database(join(folder, 'memory.db'), options)
      opened.push(driver)
      return driver
    },
    remove() {
      for (const driver of opened) driver.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe('a memory in SQLite keeps the contract', () => {
  const tests = storageContract({ durable: true, parts: PARTS }, () => {
    const { connect, remove } = place()
    return { adapter: () => sqliteStorage(connect()), remove }
  })
  for (const { name, run } of tests) test(name, run)
})
