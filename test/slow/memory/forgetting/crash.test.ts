import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Encryption } from '../../../../src/api/encryption.js'
import type { Engine } from '../../../../src/engine/engine.js'
import { openEngine } from '../../../../src/engine/whole.js'
import { journalStorage } from '../../../../src/storage/journal/journal-storage.js'
import { kernel } from '../../../unit/encoding/kernel.js'
import { NOW } from '../../../unit/engine/open.js'
import { type Disk, ModelFiles } from '../../../unit/storage/model-fs.js'

const DAY = 86_400_000
const FILES = ['journal', 'journal-2', 'index', 'keys']

/** How the memories of a test are encrypted. */
let encryption: Encryption = 'none'

/** The memory in files of a model, which fail when they are told to. */
function open(files: ModelFiles, now = NOW): Promise<Engine> {
  const [first, second, checkpoint, keys] = FILES.map((name) => files.file(name))
  const place = { journals: [first, second] as const, checkpoint, keys, keep: async () => 'aside', release: () => {} }
  return openEngine({ kernel, storage: journalStorage('model', () => place), clock: () => now, seed: 1, encryption })
}

/** What a memory answers. */
async function answers(db: Engine) {
  const episodes = []
  for await (const page of db.episodes()) episodes.push(...page)
  const { matches } = await db.recall('where is the dentist?')
  const beliefs = await db.whatDoIBelieve('dentist')
  return {
    episodes,
    matches: matches.map(({ id, confidence }) => [id, confidence]),
    beliefs: beliefs.map(({ id, confidence, evidence }) => [id, confidence, evidence]),
    atoms: (await db.semanticAtoms()).map(({ statement, support }) => [statement, support]),
    self: Buffer.from(await db.selfVector()).toString('base64'),
    history: (await db.unlearnHistory(0)).map(({ state }) => state),
  }
}

async function answersOn(disk: Disk, now?: number) {
  const db = await open(new ModelFiles(disk), now)
  const found = await answers(db)
  await db.close()
  return found
}

/** A memory in which something rests on a session. */
async function told(): Promise<Disk> {
  const files = new ModelFiles()
  const db = await open(files)
  const moved = await db.observe('The dentist moved to Hill Road.', { session: 'tuesday' })
  const old = await db.observe('The dentist is in Low Lane.', { session: 'monday' })
  await db.supersede(old, moved)
  for (const session of ['monday', 'tuesday', 'friday'])
    await db.observe('The dentist opens at nine every day.', { session })
  await db.consolidate()
  await db.assertBelief({ claim: 'the dentist is in Hill Road', confidence: 0.9, evidence: [moved] })
  await db.assertBelief({ claim: 'the dentist moves often', confidence: 0.6, evidence: [moved, old] })
  await db.close()
  return files.disk()
}

/**
 * Does something once for each call to files that it makes, and lets that call and all after it fail: what is on the
 * disk then answers as before, or as after.
 */
async function expectAllOrNothing(disk: Disk, work: (db: Engine) => Promise<unknown>, now = NOW): Promise<number> {
  const before = await answersOn(disk)
  const whole = new ModelFiles(disk)
  const done = await open(whole, now)
  await work(done)
  await done.close()
  const after = await answersOn(whole.disk())
  expect(after).not.toEqual(before)
  for (let calls = 0; ; calls++) {
    const files = new ModelFiles(disk)
    const db = await open(files, now)
    files.failIn = calls
    files.keepsFailing = true
    files.failsShort = calls % 2 === 1
    const failed = await work(db).then(
      () => false,
      () => true,
    )
    files.failIn = -1
    const found = await answersOn(files.disk())
    expect([before, after]).toContainEqual(found)
    // Whoever was told that it is done finds it done.
    if (!failed) expect(found).toEqual(after)
    await db.close().catch(() => {})
    if (!failed) return calls
  }
}

const unlearn = (db: Engine) => db.unlearn({ session: 'tuesday' }, 'asked for')

describe.each(['none', 'keys-beside'] as const)('with the encryption %s', (wanted) => {
  beforeEach(() => (encryption = wanted))

  test('a crash at any call of an unlearning leaves all of it or nothing', async () => {
    expect(await expectAllOrNothing(await told(), unlearn)).toBeGreaterThan(3)
  })

  test('a crash at any call of a restore leaves all of it or nothing', async () => {
    const files = new ModelFiles(await told())
    const db = await open(files)
    const { auditId } = await unlearn(db)
    await db.close()
    expect(await expectAllOrNothing(files.disk(), (db) => db.restoreWithinWindow(auditId!))).toBeGreaterThan(3)
  })

  test('a crash at any call of an unlearning and of its expiry leaves all of the session or nothing', async () => {
    const work = async (db: Engine) => {
      await unlearn(db)
      await db.expire(NOW + 31 * DAY)
    }
    const files = new ModelFiles(await told())
    const db = await open(files)
    await unlearn(db)
    await db.close()
    const forgotten = await answersOn(files.disk())
    const crashed = await eachDisk(await told(), work)
    const kept = { ...forgotten, history: [] as string[] }
    for (const disk of crashed) {
      const found = await answersOn(disk)
      expect([0, 1]).toContain(found.history.length)
      // What it answers tells of all of the session or of nothing.
      if (found.history.length === 1) expect({ ...found, history: [] }).toEqual(kept)
      else expect(found.episodes).toHaveLength(5)
    }
    expect(crashed.length).toBeGreaterThan(6)
  })
})

test('what a crash left of the bytes of an expiry is overwritten when the memory is opened again', async () => {
  encryption = 'none'
  const files = new ModelFiles(await told())
  const db = await open(files)
  const { auditId } = await unlearn(db)
  await db.close()
  const later = NOW + 31 * DAY
  const before = { expired: 0, withBytes: 0 }
  for (const disk of await eachDisk(files.disk(), (db) => db.expire(later))) {
    const crashed = new ModelFiles(disk)
    const again = await open(crashed)
    if ((await again.unlearnReport(auditId!)).state === 'expired') {
      before.expired++
      if (holdsText(disk)) before.withBytes++
      // Opening has begun it; a commit waits for it.
      await vi.waitFor(() => expect(holdsText(crashed.disk())).toBe(false))
    }
    await again.close()
  }
  expect(before.expired).toBeGreaterThan(before.withBytes)
  expect(before.withBytes).toBeGreaterThan(2)
})

/** Whether a file holds what was said on tuesday. */
function holdsText(disk: Disk): boolean {
  return [...disk.values()].some((bytes) => Buffer.from(bytes).includes('moved to Hill Road'))
}

/** What is on the disk after something failed at each of its calls to files. */
async function eachDisk(disk: Disk, work: (db: Engine) => Promise<unknown>): Promise<Disk[]> {
  const disks: Disk[] = []
  for (let calls = 0; ; calls++) {
    const files = new ModelFiles(disk)
    const db = await open(files)
    files.failIn = calls
    files.keepsFailing = true
    const failed = await work(db).then(
      () => false,
      () => true,
    )
    files.failIn = -1
    disks.push(files.disk())
    await db.close().catch(() => {})
    if (!failed) return disks
  }
}
