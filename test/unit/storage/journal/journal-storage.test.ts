import { OpenedStore } from '../../../../src/storage/contract/opened-store.js'
import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { Findings } from '../../../../src/api/findings.js'
import { journalStorage, type JournalPlace } from '../../../../src/storage/journal/journal-storage.js'
import type { BlockFile } from '../../../../src/storage/block/block-file.js'
import { Handle } from '../../../../src/storage/journal/handle.js'
import { keepIn } from '../../../../src/storage/journal/tail.js'
import { listed, modelOf, noise, openInto, put, puts } from '../../../../src/storage/contract/episodes.js'
import { PLACES, storageCases } from '../../../../test/contract/storage.js'
import { quick, runs } from '../../../runs.js'
import { modelStorage } from '../crash-states.js'
import { ModelFiles } from '../model-fs.js'

/** A part of the name of the case that needs a lock, which the model of a disk does not have. */
const NEEDS_LOCK = 'is in use; the first'
/** Parts of the names of cases that take seconds each. */
const SLOW = [
  'a large batch',
  'thousands are signed',
  'a compaction leaves',
  'of random signs',
  'go on during a compaction',
  'closing interrupts',
]
const LEFT_OUT = new RegExp([NEEDS_LOCK, ...(quick ? SLOW : [])].join('|'))

describe('the storage contract on a model of a disk', () => {
  test.each(storageCases(PLACES.journal).filter(({ name }) => !LEFT_OUT.test(name)))('$name', async ({ run }) => {
    const files = new ModelFiles()
    const journal = {
      read: async () => files.disk().get('journal')!,
      write: async (bytes: Uint8Array) => {
        await files.file('journal').truncate(0)
        await files.file('journal').write(0, bytes)
      },
    }
    await run({
      storage: () => modelStorage(files),
      ...PLACES.journal,
      journal,
      files: async () => files.disk(),
      runs: runs(20),
    })
  })
})

/** A store in files of which some calls can be made to fail, by the name of the file and of the call. */
function failing(files: ModelFiles, more: Partial<JournalPlace> = {}) {
  const broken = new Map<string, number>()
  const released: string[] = []
  const file = (name: string): BlockFile => {
    const of = files.file(name)
    const call =
      <A extends unknown[], R>(what: string, work: (...args: A) => R) =>
      (...args: A): R => {
        const left = broken.get(`${what} ${name}`)
        if (left !== undefined) broken.set(`${what} ${name}`, left - 1)
        if (left === 0) throw new AgidbError('AGIDB_STORAGE', `${what} ${name} failed`)
        return work(...args)
      }
    return {
      name,
      size: of.size,
      read: call('read', of.read),
      write: call('write', of.write),
      truncate: call('truncate', of.truncate),
      flush: call('flush', of.flush),
      close: call('close', of.close),
    }
  }
  const adapter = journalStorage('here', () => ({
    journals: [file('journal'), file('journal-2')],
    checkpoint: file('index'),
    keep: async (...tail) => `torn at ${await keepIn(files.file('torn'), ...tail)}`,
    release: () => void released.push('released'),
    ...more,
  }))
  return { storage: new OpenedStore(adapter), broken, released }
}

const readOnly = async (storage: OpenedStore): Promise<unknown[]> => {
  const { kept } = await openInto(storage)
  await storage.close()
  return listed(kept)
}

describe('a store in files', () => {
  test('says what it has, where, and how much room there is', async () => {
    const { storage } = failing(new ModelFiles(), { room: () => ({ used: 1, of: 2, persisted: true }) })
    const { databaseId } = await storage.open(() => undefined)
    await storage.commit(puts(0, 3))
    const stats = await storage.stats()
    expect(stats).toMatchObject({
      name: 'here',
      room: { used: 1, of: 2, persisted: true },
      durability: 'strict',
      opening: [{ kind: 'created', details: { databaseId } }],
    })
    // Where each slot lies, and the room in which frames are written.
    const written = stats.memory! - (1024 * 24 + 4)
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(3 * stats.bytes)
    await storage.parts.checkpoint!.write([{ name: 'part', array: () => noise(1, 5000) }])
    expect((await storage.stats()).bytes).toBeGreaterThan(stats.bytes + 5000)
    expect(await storage.slots()).toEqual([0, 1, 2])
    await storage.parts.maintenance!.repair(['journal-torn'])
    expect((await storage.stats()).bytes).toBeGreaterThan(stats.bytes + 5000)
    await storage.parts.maintenance!.repair(['image-damaged'])
    expect((await storage.stats()).bytes).toBe(stats.bytes)
    await storage.close()
  })

  test('that fails to open lets go of its files, and says why it failed', async () => {
    for (const call of ['read journal', 'read journal-2', 'read index', 'write journal']) {
      const { storage, broken, released } = failing(new ModelFiles())
      broken.set(call, 0)
      broken.set('close index', 0)
      // An image that cannot be read at all is no reason to refuse, but a failing disk is.
      await expect(
        storage.open(() => undefined),
        call,
      ).rejects.toThrow(`${call} failed`)
      expect(released, call).toEqual(['released'])
      await expect(storage.rows([0])).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    }
  })

  test('whose journal was moved away and is gone is refused', async () => {
    const files = new ModelFiles()
    const { storage } = failing(files)
    await storage.open(() => undefined)
    await storage.commit(puts(0, 3))
    await storage.parts.maintenance!.compact()
    await storage.close()
    await files.file('journal-2').truncate(0)
    await expect(failing(files).storage.open(() => undefined)).rejects.toThrow(
      /moved to the other journal, and that is gone/,
    )
  })

  test('a compaction that fails leaves everything, and can be tried again', async () => {
    const whole = new ModelFiles()
    const before = failing(whole).storage
    await before.open(() => undefined)
    for (let slot = 0; slot < 6; slot += 2) await before.commit(puts(slot, 2))
    await before.commit([{ op: 'remove', slot: 1, id: 'ep_1' }])
    await before.close()
    for (const call of ['write', 'flush', 'truncate']) {
      for (const file of ['journal', 'journal-2', 'index']) {
        for (let after = 0; after < (quick ? 2 : 4); after++) {
          const files = new ModelFiles(whole.disk())
          const { storage, broken } = failing(files)
          await storage.open(() => undefined)
          await storage.parts.checkpoint!.write([{ name: 'part', array: () => noise(1, 50) }])
          broken.set(`${call} ${file}`, after)
          const failed = await storage.parts.maintenance!.compact().then(
            () => false,
            () => true,
          )
          broken.clear()
          // A journal whose seal may be on the disk takes no more commits; all else goes on.
          const committed = await storage.commit([put(6)]).then(
            () => true,
            () => false,
          )
          if (!failed) expect(committed).toBe(true)
          else if (committed) await storage.parts.maintenance!.compact()
          await storage.close()
          expect(await readOnly(failing(files).storage), `${call} ${file} ${after}`).toEqual(
            listed(modelOf(puts(0, 6), [{ op: 'remove', slot: 1, id: 'ep_1' }], committed ? [put(6)] : [])),
          )
        }
      }
    }
  })

  test('a failed replace changes nothing; if its seal cannot be removed, later commits are refused', async () => {
    const files = new ModelFiles()
    const { storage, broken } = failing(files)
    await storage.open(() => undefined)
    await storage.commit(puts(0, 3))
    const replacing = (): Promise<void> => storage.replace(async (add) => add([put(7)]))
    await expect(
      storage.replace(async () => {
        throw new Error('from the filler')
      }),
    ).rejects.toThrow('from the filler')
    expect(files.disk().get('journal-2')?.length).toBe(0)
    broken.set('flush journal-2', 2)
    await expect(replacing()).rejects.toThrow('flush journal-2 failed')
    await storage.commit([put(3)])
    broken.set('flush journal-2', 2)
    broken.set('truncate journal-2', 0)
    await expect(replacing()).rejects.toThrow('flush journal-2 failed')
    await expect(storage.commit([put(4)])).rejects.toThrow(/close the database and open it again/)
    await storage.close()
    expect(await readOnly(failing(files).storage)).toEqual(listed(modelOf(puts(0, 4))))
  })

  test('a running read finishes during a replace, and the old content is overwritten afterwards', async () => {
    const files = new ModelFiles()
    const { storage } = failing(files)
    await storage.open(() => undefined)
    await storage.commit(puts(0, 600))
    const read: number[] = []
    const reading = storage.parts.signatures!.visitEpisodes(
      Array.from({ length: 600 }, (_, slot) => slot),
      ({ slot }) => read.push(slot),
    )
    await storage.replace(async (add) => add([{ ...put(0), row: noise(9, 20) }]))
    await reading
    expect(read.length).toBe(600)
    expect(await storage.rows([0, 1])).toEqual([noise(9, 20), undefined])
    await storage.parts.maintenance!.compact()
    expect([...files.disk().values()].some((bytes) => Buffer.from(bytes).includes(Buffer.from(put(5).row)))).toBe(false)
    await storage.close()
  })

  test('a compaction during a replace waits for its end, and leaves the new content', async () => {
    const files = new ModelFiles()
    const { storage } = failing(files)
    await storage.open(() => undefined)
    await storage.commit(puts(0, 600))
    let compacting: Promise<void> | undefined
    await storage.replace(async (add) => {
      await add([put(700)])
      compacting = storage.parts.maintenance!.compact()
      await new Promise((resolve) => setTimeout(resolve, 50))
      await add([put(701)])
    })
    await compacting
    await storage.commit([put(702)])
    await storage.close()
    expect(await readOnly(failing(files).storage)).toEqual(listed(modelOf([put(700), put(701), put(702)])))
  })

  test('of which the end is cut off while it is open, verifying says so', async () => {
    const files = new ModelFiles()
    const { storage } = failing(files)
    await storage.open(() => undefined)
    await storage.commit(puts(0, 3))
    await storage.commit([put(3)])
    const found = async (): Promise<unknown[]> => {
      const findings = new Findings()
      await storage.parts.maintenance!.verify({ findings, digest: () => '', visit: () => {} })
      return findings.problems.map(({ code, harm }) => [code, harm])
    }
    expect(await found()).toEqual([])
    const length = files.disk().get('journal')!.length
    await files.file('journal').truncate(length - 1)
    expect(await found()).toEqual([
      ['journal-torn', 'none'],
      ['journal-damaged', 'loss'],
    ])
    await files.file('journal').truncate(0)
    expect(await found()).toEqual([['journal-damaged', 'loss']])
    await storage.close()
  })
})

describe('a handle', () => {
  test('lets one change run at a time, in the order in which they came, whatever becomes of them', async () => {
    const handle = new Handle('it', 'held ')
    const log: string[] = []
    const step =
      (name: string, error?: string) =>
      async (held: string): Promise<string> => {
        log.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 1))
        log.push(`${name} ends`)
        if (error) throw new Error(error)
        return held + name
      }
    expect([handle.isOpen, handle.get()]).toEqual([true, 'held '])
    const changes = [handle.change(step('a')), handle.change(step('b', 'no')), handle.change(step('c'))]
    const idle = handle.idle().then(() => log.push('idle'))
    const closed = handle.close(async (held) => void log.push(`released ${held}`))
    const late = handle.change(step('d'))
    expect(await Promise.allSettled(changes)).toMatchObject([
      { value: 'held a' },
      { reason: new Error('no') },
      { value: 'held c' },
    ])
    await Promise.all([idle, closed])
    await expect(late).rejects.toMatchObject({ code: 'AGIDB_CLOSED', message: 'it is not open' })
    await expect(handle.idle()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
    expect(handle.isOpen).toBe(false)
    expect(log.filter((line) => line !== 'idle')).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
      'c begins',
      'c ends',
      'released held ',
    ])
    expect(log.indexOf('idle')).toBeGreaterThan(log.indexOf('c ends'))
    await handle.close(async () => void log.push('twice'))
    expect(log).not.toContain('twice')
  })
})
