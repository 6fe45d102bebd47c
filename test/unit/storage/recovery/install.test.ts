import { expect, test } from 'vitest'
import { encodeFrame, encodeHeader, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { currentOf, inspectJournals } from '../../../../src/storage/journal/journal-pair.js'
import type { StorageChange } from '../../../../src/api/storage.js'
import { install } from '../../../../src/storage/recovery/install.js'
import { originOf, recover, salvage } from '../../../../src/storage/recovery/salvage.js'
import { keepIn } from '../../../../src/storage/journal/tail.js'
import { copyOf, listed, modelOf, noise, type Kept } from '../../../../src/storage/contract/episodes.js'
import { MemoryFile } from '../memory-file.js'
import { ModelFiles, randomFrom } from '../model-fs.js'

const HEADER: JournalHeader = {
  version: 2,
  databaseId: '00112233445566778899aabbccddeeff',
  createdAt: 5,
  baseLsn: 10,
  nextSlot: 0,
  epoch: 1,
}
const put = (slot: number): StorageChange => ({
  op: 'put',
  slot,
  id: `ep_${slot}`,
  row: noise(slot + 1, 30),
  signatures: { text: noise(slot + 2, 16) },
})
const COMMITS = [[put(0), put(1)], [put(2)], [put(3), put(4)]]
const NAMES = ['journal', 'journal-2', 'torn'] as const

/** A journal of which the header and the second commit, with its only row, cannot be read. */
function damaged(): Uint8Array {
  const frames = COMMITS.map((commit, i) => encodeFrame(HEADER, HEADER.baseLsn + 1 + i, commit).bytes)
  const bytes = new Uint8Array(Buffer.concat([encodeHeader(HEADER), ...frames]))
  bytes[20] ^= 1
  const second = 64 + frames[0].length
  for (const at of [second + 2, second + 32 + 4 + 16 + 4 + 9]) bytes[at] ^= 1
  return bytes
}

/** Reads what can be read and puts it in place, but for one slot. */
async function repaired(files: ModelFiles): Promise<string[]> {
  const [first, second, torn] = NAMES.map((name) => files.file(name))
  const origin = (await originOf([first, second]))!
  const { journal } = await recover(origin, new MemoryFile())
  return install(
    origin,
    journal,
    journal.liveSlots(0, journal.nextSlot).filter((slot) => slot !== 1),
    torn,
  )
}

/** The same with what could be read as it is, as in a folder. */
async function salvagedHere(files: ModelFiles): Promise<void> {
  const [first, second, torn] = NAMES.map((name) => files.file(name))
  if ((await salvage([first, second], async (...tail) => `from ${await keepIn(torn, ...tail)} on`)) === undefined)
    throw new Error('nothing is there')
}

/** What is there; `undefined` where it is damaged yet. */
async function found(files: ModelFiles): Promise<{ rows: Map<number, Kept>; journal: Journal } | undefined> {
  const pair = await inspectJournals([files.file('journal'), files.file('journal-2')])
  const { file, header, damage } = currentOf(pair)
  if (damage !== undefined || header === undefined) return undefined
  const journal = await Journal.open(
    file,
    header,
    async () => 'nowhere',
    () => {},
  )
  const rows = new Map<number, Kept>()
  await journal.visit((episode) => rows.set(episode.slot, copyOf(episode)))
  return { rows, journal }
}

const WANTED = listed(modelOf([put(0)], COMMITS[2]))
const ALL = listed(modelOf(COMMITS[0], COMMITS[2]))

test('a repair replaces a damaged journal by its readable rows and keeps the damaged file', async () => {
  const files = new ModelFiles(new Map([['journal', damaged()]]))
  expect(await repaired(files)).toEqual([`journal: ${damaged().length} bytes of torn from byte 0 on`])
  const { rows, journal } = (await found(files))!
  expect(listed(rows)).toEqual(WANTED)
  expect(journal.header).toMatchObject({ version: 3, baseLsn: 13, nextSlot: 5, epoch: 2, seal: { of: 13 } })
  expect(journal.header.databaseId).not.toBe(HEADER.databaseId)
  expect(files.disk().get('torn')).toEqual(damaged())
  expect(files.disk().get('journal')).toHaveLength(128)
})

test.each<[string, (files: ModelFiles) => Promise<unknown>, typeof WANTED]>([
  ['in a browser', repaired, WANTED],
  ['in a folder', salvagedHere, ALL],
])('a crash at any step of a repair %s leaves the damaged journal or the repaired one', async (_, repair, wanted) => {
  const whole = new ModelFiles(new Map([['journal', damaged()]]))
  await repair(whole)
  const random = randomFrom(7)
  let again = 0
  for (let length = 0; length <= whole.log.length; length++) {
    for (const how of ['none', 'all', 'torn', 'random', 'random'] as const) {
      const files = new ModelFiles(whole.crash(length, how, random))
      const before = files.disk().get('journal')
      if ((await found(files)) === undefined) {
        again++
        // Up to the seal nothing of it is touched; from then on it is kept.
        const kept = Buffer.from(files.disk().get('torn') ?? []).includes(Buffer.from(damaged()))
        expect(kept || Buffer.from(before!).equals(damaged()), `after ${length}, ${how}`).toBe(true)
        await repair(files)
      }
      expect(listed((await found(files))!.rows), `after ${length}, ${how}`).toEqual(wanted)
    }
  }
  expect(again).toBeGreaterThan(10)
})

test('where there is no room for it the damaged journal stays as it was', async () => {
  for (let room = 0; room < 400; room += 13) {
    const files = new ModelFiles(new Map([['journal', damaged()]]))
    files.capacity = damaged().length + room
    await expect(repaired(files)).rejects.toMatchObject({ code: 'AGIDB_QUOTA' })
    expect(files.disk().get('journal')).toEqual(damaged())
    files.capacity = Infinity
    await repaired(files)
    expect(listed((await found(files))!.rows)).toEqual(WANTED)
  }
})
