import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { AgidbError } from '../../../src/base/errors.js'
import { random } from '../../fuzz/mutate.js'
import type { Attack } from './attack.js'
import { observations, openFolder, withFolder } from './memory.js'

/** What takes the files away. The last one leaves a file of the same bytes under the name of the journal. */
const LOSSES: readonly ((path: string, journal: string) => void)[] = [
  (path) => rmSync(path, { recursive: true }),
  (path) => renameSync(path, `${path}.moved`),
  (_, journal) => rmSync(journal),
  (path, journal) => {
    cpSync(journal, `${path}.copy`)
    renameSync(`${path}.copy`, journal)
  },
]

/** Deletes, moves or replaces the files of an open memory between two observations or in the middle of one. */
export const deletedWhileOpen: Attack = {
  name: 'deleted-while-open',
  summary:
    'the folder or the journal of an open memory is deleted, moved or replaced; nothing that is observed after ' +
    'it may be acknowledged',
  run: (seed) =>
    withFolder(async (path) => {
      const from = random(seed, 0)
      const journal = join(path, 'journal.agidb')
      const db = await openFolder(path, { durability: from.pick(['strict', 'relaxed']) })
      const told: string[] = []
      db.subscribe(({ kind }) => told.push(kind))
      try {
        const before = from.below(20)
        if (before > 0) await db.observeMany(observations(0, before))
        const underWay = from.below(2) === 0 ? db.observeMany(observations(100, 104)).catch(() => []) : undefined
        for (let turns = from.below(6); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
        from.pick(LOSSES)(path, journal)
        const after = await Promise.all(
          observations(200, 205).map((one) => db.observe(one.text, { id: one.id }).then(() => 'acknowledged', codeOf)),
        )
        await underWay
        if (after.some((code) => code !== 'AGIDB_DELETED') || !told.includes('storageDeleted')) return 'silent loss'
        // What can be read of what was remembered is still answered.
        if (before > 0 && (await db.recall('which place opens?')).matches.length === 0) return 'silent loss'
      } finally {
        await db.close()
      }
      return 'detected'
    }),
}

function codeOf(error: unknown): string {
  if (error instanceof AgidbError) return error.code
  throw error
}
