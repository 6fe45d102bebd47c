import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Compaction, retire } from '../../../../src/storage/journal/compaction.js'
import { isComplete, newHeader } from '../../../../src/storage/journal/frame.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { readJournalHeader, writeHeader } from '../../../../src/storage/journal/journal-header.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { JournalStore } from '../../../../src/storage/journal/journal-store.js'
import {
  applyTo,
  copyOf,
  listed,
  modelOf,
  noise,
  puts,
  sign,
  type Kept,
} from '../../../../src/storage/contract/episodes.js'
import { runs } from '../../../runs.js'
import { MemoryFile } from '../memory-file.js'

const put = (slot: number): StorageChange => ({
  op: 'put',
  slot,
  id: `ep_${slot}`,
  row: noise(slot, 12),
  signatures: { text: noise(slot + 7, 8) },
})
const update = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, 15),
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })

async function journalOf(commits: readonly StorageChange[][], file = new MemoryFile()): Promise<Journal> {
  await writeHeader(file, newHeader(3))
  const journal = await Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'aside',
    () => {},
  )
  for (const commit of commits) await journal.append(commit)
  return journal
}

async function contentOf(journal: Journal): Promise<unknown[]> {
  const kept = new Map<number, Kept>()
  await journal.visit((episode) => kept.set(episode.slot, copyOf(episode)))
  return listed(kept)
}

test('a compacted journal has the rows of the old one after any commits before, during and after it', async () => {
  const commit = fc.array(
    fc.record({
      op: fc.constantFrom(
        'put' as const,
        'put' as const,
        'update' as const,
        'remove' as const,
        'setSignatures' as const,
      ),
      pick: fc.nat(99),
    }),
    { minLength: 1, maxLength: 6 },
  )
  const commits = fc.array(commit, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(commits, commits, commits, async (before, meanwhile, after) => {
      let next = 0
      let seed = 1000
      const live = new Set<number>()
      /** Changes that fit what is there. */
      const fitting = (commit: readonly { op: StorageChange['op']; pick: number }[]): StorageChange[] =>
        commit.flatMap(({ op, pick }): StorageChange[] => {
          const slot = [...live][pick % Math.max(1, live.size)]
          if (op === 'put' || slot === undefined) {
            live.add(next)
            return [put(next++)]
          }
          if (op === 'update') return [update(slot, seed++)]
          if (op === 'setSignatures') return [sign(slot, { latent: noise(seed++, 9) })]
          live.delete(slot)
          return [remove(slot)]
        })
      const history = before.map(fitting)
      const journal = await journalOf(history)
      const compaction = await Compaction.begin(journal, new MemoryFile())
      expect(compaction.since).toBe(journal.end.lsn)
      const commitAll = async (commits: readonly StorageChange[][]): Promise<void> => {
        for (const commit of commits) {
          await journal.append(commit)
          history.push(commit)
        }
      }
      await Promise.all([compaction.copy(() => false), commitAll(meanwhile.map(fitting))])
      await commitAll(after.map(fitting))
      const last = journal.end.lsn
      const compacted = await compaction.finish()
      const { copied } = compaction
      expect(compaction.placeOf(copied)).toBeDefined()
      expect(await contentOf(compacted)).toEqual(await contentOf(journal))
      expect([compacted.nextSlot, compacted.header.epoch, compacted.header.seal!.of]).toEqual([
        journal.nextSlot,
        1,
        last,
      ])
      expect(compaction.placeOf(last)).toEqual(compacted.end)
      expect([compaction.placeOf(copied - 1), compaction.placeOf(last + 1)]).toEqual([undefined, undefined])
      // Who had followed the old journal up to a commit, and goes on in the new one, comes to the same.
      for (let lsn = copied; lsn <= last; lsn++) {
        const model = modelOf(...history.slice(0, lsn))
        for (let at = compaction.placeOf(lsn)!; at.at < compacted.end.at; ) {
          const { changes, next } = await compacted.changesFrom(at, 1)
          applyTo(model, changes)
          at = next
        }
        expect(listed(model)).toEqual(await contentOf(journal))
      }
      // It opens as what it was at the end.
      const file = new MemoryFile((compacted.place as MemoryFile).content())
      const header = (await readJournalHeader(file))!
      expect([isComplete(header), header.compacted]).toEqual([true, true])
      const opened = await Journal.open(
        file,
        header,
        async () => 'aside',
        () => {},
      )
      expect([await contentOf(opened), opened.nextSlot]).toEqual([await contentOf(journal), journal.nextSlot])
    }),
    { numRuns: runs(60) },
  )
})

test('leaves few commits for the end, and none of the copying when it is stopped', async () => {
  const journal = await journalOf([puts(0, 600, 8)])
  const file = new MemoryFile(noise(1, 5000))
  const compaction = await Compaction.begin(journal, file)
  for (let slot = 600; slot < 640; slot++) await journal.append([put(slot)])
  await compaction.copy(() => false)
  const writes = (): number => file.log.filter((line) => line.startsWith('write')).length
  const copied = writes()
  await compaction.finish()
  // Sixteen of the forty, and the seal.
  expect(writes() - copied).toBe(16 + 1)
  const stopped = await Compaction.begin(journal, new MemoryFile())
  let rounds = 0
  await stopped.copy(() => rounds++ === 1)
  expect(stopped.placeOf(stopped.since)).toMatchObject({ lsn: journal.end.lsn + 1 }) // one frame of 256 of 640
})

test('what goes before its turn comes is not copied, and what was said of it is left out', async () => {
  const many = Array.from({ length: 600 }, (_, slot) => put(slot))
  const journal = await journalOf([many])
  const compaction = await Compaction.begin(journal, new MemoryFile())
  const meanwhile: StorageChange[][] = [
    [update(500, 1), sign(501, { latent: noise(2, 9) }), update(502, 3)],
    [remove(500), remove(3)],
    [put(600), update(600, 4), sign(600, { latent: noise(5, 9) }), remove(600), put(601)],
    [remove(501), update(601, 6)],
    [put(602), remove(602), put(603), remove(601), remove(502)],
  ]
  for (const commit of meanwhile) await journal.append(commit)
  await compaction.copy(() => false)
  const compacted = await compaction.finish()
  expect(await contentOf(compacted)).toEqual(listed(modelOf(many, ...meanwhile)))
  expect([compacted.isRemoved(600), compacted.isLive(500), compacted.isFree(600), compacted.nextSlot]).toEqual([
    true,
    false,
    false,
    604,
  ])
  // It opens, though of some slots nothing is said in it.
  const file = new MemoryFile((compacted.place as MemoryFile).content())
  const opened = await Journal.open(
    file,
    (await readJournalHeader(file))!,
    async () => 'aside',
    () => {},
  )
  expect(await contentOf(opened)).toEqual(await contentOf(journal))
})

test('of a journal that was moved away remains a header that says so, and none of its rows', async () => {
  const file = new MemoryFile()
  const journal = await journalOf([puts(0, 3)], file)
  await retire(file, { ...journal.header, nextSlot: 3 })
  const header = (await readJournalHeader(file))!
  expect([file.size(), isComplete(header)]).toEqual([128, false])
  expect(header).toEqual({ ...journal.header, version: 3, checked: undefined, nextSlot: 3 })
  // Overwritten before it was cut off.
  expect(file.log.filter((line) => line === 'write at 64').length).toBeGreaterThan(0)
})

test('a compaction ends after the last read of the old journal; later reads use the new one', async () => {
  const [first, second] = [new MemoryFile(), new MemoryFile()]
  const journal = await journalOf([puts(0, 3), [remove(1)]], first)
  const store = new JournalStore(journal, second, await CheckpointFile.open(new MemoryFile()))
  const ends: (() => void)[] = []
  const reading = [0, 1].map(() =>
    store.read(async (journal) => {
      await new Promise<void>((resolve) => ends.push(resolve))
      return journal.rows([0, 1, 2])
    }),
  )
  let over = false
  const compacted = store
    .compact(
      (work) => work(),
      async () => {},
    )
    .then(() => (over = true))
  await expect.poll(() => store.journal === journal, { timeout: 30_000 }).toBe(false)
  ends[0]()
  expect(await reading[0]).toEqual([puts(0, 3)[0].row, undefined, puts(0, 3)[2].row])
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(over).toBe(false)
  // Who begins now reads the new one, and keeps nobody waiting.
  const later = store.read(async (now) => [now === store.journal, now !== journal])
  expect(await later).toEqual([true, true])
  ends[1]()
  expect(await reading[1]).toEqual([puts(0, 3)[0].row, undefined, puts(0, 3)[2].row])
  await compacted
  expect([over, first.size(), isComplete((await readJournalHeader(first))!)]).toEqual([true, 128, false])
  expect(await store.journal.rows([0, 1])).toEqual([puts(0, 1)[0].row, undefined])
})

/** A store, the two files that its journal can be in, and a compaction of which everything is copied, but not over. */
async function compacting(commits: readonly StorageChange[][]) {
  const files = [new MemoryFile(), new MemoryFile()]
  const checkpoint = await CheckpointFile.open(new MemoryFile())
  const store = new JournalStore(await journalOf(commits, files[0]), files[1], checkpoint)
  const compact = (): Promise<void> =>
    store.compact(
      (work) => work(),
      async () => {},
    )
  const before = store.journal
  let end = (): void => {}
  const reading = store.read(() => new Promise<void>((resolve) => (end = resolve)))
  const first = compact()
  await expect.poll(() => store.journal === before, { timeout: 30_000 }).toBe(false)
  const finish = async (): Promise<void> => {
    end()
    await Promise.all([reading, first])
  }
  return { store, files, compact, finish }
}

test('a compaction asked for while another runs overwrites what was removed after that one had copied it', async () => {
  const { row } = puts(0, 1, 400)[0]
  const { store, files, compact, finish } = await compacting([puts(0, 2, 400)])
  await store.commit([remove(0)])
  const { epoch } = store.journal.header
  await Promise.all([finish(), compact(), compact()])
  expect(files.map((file) => Buffer.from(file.content()).includes(Buffer.from(row)))).toEqual([false, false])
  // The two that came during it share one run.
  expect(store.journal.header.epoch).toBe(epoch + 1)
  expect(await contentOf(store.journal)).toHaveLength(1)
})

test('work alone, and the stopping of a store, wait for a compaction that waits for another', async () => {
  for (const isStopped of [false, true]) {
    const { store, compact, finish } = await compacting([puts(0, 3)])
    let outcome = 'none'
    void compact().then(
      () => (outcome = 'done'),
      ({ code }: { code: string }) => (outcome = code),
    )
    const after = isStopped ? store.stop() : store.alone(async () => {})
    await finish()
    await after
    expect(outcome).toBe(isStopped ? 'AGIDB_CLOSED' : 'done')
  }
})
