import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Agidb } from '../../../../../src/runtimes/node/index.js'
import { verifyPath } from '../../../../../src/runtimes/node/verify.js'
import { agidb } from '../../../cli/agidb.js'

/** Memories on a medium that may not be written to: a folder that is mounted read-only. Only root can mount. */

const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0
const TEXTS = ['Sarah recommended Bawri, a thai place in Bandra.', 'The rent is due on Monday.']
const OPTIONS = { codebook: 'none', shards: 0 } as const

let folder: string
/** The folder in which the memory is writable, and the same folder through a mount that refuses writing. */
let writable: string
let medium: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agidb-'))
  writable = join(folder, 'writable')
  medium = join(folder, 'medium')
  mkdirSync(medium)
  const db = await Agidb.open({ extract: 'none', path: writable, ...OPTIONS })
  await db.observeMany(TEXTS.map((text) => ({ text })))
  await db.close()
})
afterEach(() => {
  spawnSync('umount', ['--lazy', medium]) // a test that failed may have left it open
  rmSync(folder, { recursive: true, force: true })
})

function protect(): void {
  if (!mount('--bind', writable, medium) || !mount('-o', 'remount,bind,ro', medium)) throw new Error('cannot mount')
}

function openFrozen(): Promise<Agidb> {
  return Agidb.open({ extract: 'none', path: medium, readOnly: true, ...OPTIONS })
}

/** All that could change in a folder. */
function look(path: string): unknown {
  return readdirSync(path).map((name) => {
    const file = join(path, name)
    const { mtimeMs, ctimeMs } = statSync(file)
    return { name, mtimeMs, ctimeMs, bytes: statSync(file).isFile() && readFileSync(file).toString('base64') }
  })
}

const canMount = ((): boolean => {
  const tried = mkdtempSync(join(tmpdir(), 'agidb-'))
  const can = mount('--bind', tried, tried)
  if (can) spawnSync('umount', [tried])
  rmSync(tried, { recursive: true })
  return can
})()

describe.runIf(canMount)('a memory on a medium that may not be written to', () => {
  test('opens with readOnly: true, answers, says how it was opened, and nothing in it changes', async () => {
    protect()
    const before = look(medium)
    const db = await openFrozen()
    const { matches } = await db.recall('what thai place was mentioned?', { k: 1, traceAttention: true })
    expect(matches[0]).toMatchObject({ text: TEXTS[0] })
    const told = [{ kind: 'not-writable', details: { folder: medium, code: 'EROFS' } }]
    expect((await db.stats()).opening).toMatchObject(told)
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    await expect(db.observe('Something new.')).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await expect(db.compact()).rejects.toMatchObject({ code: 'AGIDB_READ_ONLY' })
    await db.flush()
    await db.close()
    expect(look(medium)).toEqual(before)
  })

  test('is refused without readOnly: true by an error that names it', async () => {
    protect()
    const message = expect.stringContaining('readOnly: true')
    const refused = { code: 'AGIDB_STORAGE', details: { code: 'EROFS' }, message }
    await expect(Agidb.open({ extract: 'none', path: medium, ...OPTIONS })).rejects.toMatchObject(refused)
    await expect(Agidb.open({ extract: 'none', path: join(medium, 'new'), ...OPTIONS })).rejects.toMatchObject({
      code: 'AGIDB_STORAGE',
    })
  })

  test('is verified without a change, and what is damaged there is found', async () => {
    protect()
    expect(await verifyPath(medium)).toMatchObject({ ok: true, problems: [] })
    const journal = join(writable, 'journal.agidb')
    const bytes = readFileSync(journal)
    cpSync(writable, join(folder, 'damaged'), { recursive: true })
    spawnSync('umount', [medium])
    writable = join(folder, 'damaged')
    writeFileSync(join(writable, 'journal.agidb'), bytes.with(20, bytes[20] ^ 1))
    protect()
    const before = look(medium)
    const { ok, problems } = await verifyPath(medium)
    expect([ok, problems.map(({ code }) => code)]).toEqual([false, expect.arrayContaining(['journal-header'])])
    await expect(openFrozen()).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    expect(look(medium)).toEqual(before)
  })

  test('opens with the torn tail that a crash left, leaves it where it is, and reports it', async () => {
    const journal = join(writable, 'journal.agidb')
    const db = await Agidb.open({ extract: 'none', path: writable, ...OPTIONS })
    await db.observe('This one was being written.')
    const bytes = readFileSync(journal) // as a process that is killed now leaves it
    await db.close()
    rmSync(join(writable, 'index.agidb'))
    writeFileSync(journal, bytes.subarray(0, -3))
    protect()
    const before = look(medium)
    const frozen = await openFrozen()
    const { opening, episodes } = await frozen.stats()
    expect([opening.map(({ kind }) => kind), episodes]).toEqual([['not-writable', 'torn-tail'], TEXTS.length])
    expect(opening[1].message).toContain('stay in the file')
    await frozen.close()
    expect(look(medium)).toEqual(before)
  })

  test('opens with a lock that somebody left, and is refused while the holder lives', async () => {
    const db = await Agidb.open({ extract: 'none', path: writable, ...OPTIONS })
    protect()
    await expect(openFrozen()).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await expect(verifyPath(medium)).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
    await db.close()
    spawnSync('umount', [medium])
    const lock = join(writable, 'lock')
    for (const holder of [{ host: 'elsewhere', pid: 1, token: 'a' }, { pid: 4_000_000, token: 'b' }, {}]) {
      writeFileSync(lock, JSON.stringify(holder))
      protect()
      const frozen = await openFrozen()
      await frozen.close()
      expect(await verifyPath(medium)).toMatchObject({ ok: true })
      spawnSync('umount', [medium])
    }
  })

  test('is asked and verified on the command line', async () => {
    protect()
    const before = look(medium)
    const asked = await agidb('recall', 'what thai place was mentioned?', '--db', medium, '--json')
    expect(JSON.parse(asked.out)).toMatchObject({ matches: [{ text: TEXTS[0] }, {}] })
    const stats = await agidb('stats', '--db', medium)
    expect(stats).toMatchObject({ code: 0, out: expect.stringMatching(/when opened +not-writable: /) })
    const well = { code: 0, out: expect.stringContaining('all is well') }
    expect(await agidb('verify', '--db', medium)).toMatchObject(well)
    expect(await agidb('export', join(folder, 'backup.agidb'), '--db', medium)).toMatchObject({ code: 0 })
    expect((await agidb('remember', '--db', medium, join(folder, 'none.txt'))).code).not.toBe(0)
    expect(look(medium)).toEqual(before)
  }, 120_000)
})
