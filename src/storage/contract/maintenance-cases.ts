// The maintenance part: compaction and verification.
import { Findings } from '../../api/findings.js'
import type { StorageChange, StoredEpisode } from '../../api/storage.js'
import type { StorageCase } from './case.js'
import { copyOf, listed, modelOf, noise, openInto, put, puts, sign, type Kept } from './episodes.js'
import { assert, assertEqual } from './assert.js'

const edits: StorageChange[] = [
  { op: 'update', slot: 1, id: 'ep_1', row: noise(100, 60) },
  { op: 'remove', slot: 2, id: 'ep_2' },
  sign(3, { latent: noise(101, 1032) }),
  sign(3, { latent: noise(102, 1032), text: noise(103, 1024) }, 4),
  { op: 'remove', slot: 599, id: 'ep_599' },
]

/** Compaction, also of storages that leave nothing behind, and verification. */
export const maintenanceCases: StorageCase[] = [
  {
    name: 'a compaction leaves what is live, is smaller, and goes on',
    needs: 'maintenance',
    async run({ storage }) {
      const commits = [puts(0, 600), edits, puts(600, 1)]
      const store = storage()
      const { databaseId } = await openInto(store)
      for (const commit of commits) await store.commit(commit)
      const all = Array.from({ length: 601 }, (_, slot) => slot)
      const rows = await store.rows(all)
      for (let round = 0; round < 3; round++) {
        const before = (await store.stats()).bytes
        await store.parts.maintenance!.compact()
        const { bytes } = await store.stats()
        const garbage = store.parts.maintenance!.garbage()
        if (garbage !== undefined) {
          assert(round > 0 || bytes < before - 4000, `bytes went from ${before} to ${bytes}`)
          assert(garbage.bytes < 1000, `garbage is ${garbage.bytes}`)
        }
        assertEqual(await store.rows(all), rows, 'rows')
      }
      await store.commit([put(601)])
      await store.close()
      for (let round = 0; round < 2; round++) {
        const again = storage()
        const opened = await openInto(again)
        assertEqual(listed(opened.kept), listed(modelOf(...commits, [put(601)])), 'episodes when opened again')
        assertEqual([opened.databaseId, opened.nextSlot], [databaseId, 602], 'database id and next slot')
        assertEqual((await again.stats()).opening, [], 'what opening reports')
        await again.close()
      }
    },
  },
  {
    name: 'commits and reads go on during a compaction',
    needs: 'maintenance',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      const commits: StorageChange[][] = [puts(0, 1500)]
      await store.commit(commits[0])
      let done = false
      const compacting = store.parts.maintenance!.compact().finally(() => (done = true))
      for (let slot = 1500; !done; slot++) {
        const live = [...modelOf(...commits).keys()]
        const old = live[(slot * 389) % live.length]
        // Elsewhere a commit is a task; in OPFS it is not, and whatever is to go on needs a turn.
        await new Promise<void>((resolve) => setTimeout(resolve, 0))
        const commit: StorageChange[] = [
          put(slot),
          slot % 2 === 0 ? { op: 'remove', slot: old, id: `ep_${old}` } : sign(old, { latent: noise(slot, 50) }),
        ]
        await store.commit(commit)
        commits.push(commit)
        assertEqual((await store.rows([slot, live[0]]))[0], put(slot).row, 'a row that was just written')
      }
      await compacting
      const model = modelOf(...commits)
      assertEqual(
        await store.rows([...model.keys()]),
        [...model.values()].map(({ row }) => row),
        'rows',
      )
      await store.close()
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(model), 'episodes when opened again')
      await again.close()
    },
  },
  {
    name: 'a compaction that is interrupted by closing leaves everything as it was',
    needs: 'maintenance',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 600))
      const compacting = store.parts.maintenance!.compact().then(
        () => undefined,
        (error: { readonly code?: string }) => error.code ?? String(error),
      )
      await store.close()
      assert(['AGIDB_CLOSED', undefined].includes(await compacting), 'the compaction ended, or was refused as closed')
      const again = storage()
      assertEqual(listed((await openInto(again)).kept), listed(modelOf(puts(0, 600))), 'episodes when opened again')
      assertEqual((await again.stats()).opening, [], 'what opening reports')
      await again.close()
    },
  },
  {
    name: 'verifying visits all that is live, and finds nothing wrong',
    needs: 'maintenance',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      const commits = [
        puts(0, 700),
        [{ op: 'remove' as const, slot: 7, id: 'ep_7' }, sign(9, { latent: noise(1, 1032) })],
      ]
      for (const commit of commits) await store.commit(commit)
      const findings = new Findings()
      const found = new Map<number, Kept>()
      const visit = (episode: StoredEpisode) => void found.set(episode.slot, copyOf(episode))
      await store.parts.maintenance!.verify({ findings, digest: () => '', visit })
      assertEqual(findings.problems, [], 'problems')
      assertEqual(listed(found), listed(modelOf(...commits)), 'episodes')
      assertEqual(findings.checked.rows, 699, 'rows')
      await store.close()
    },
  },
]
