import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Agidb } from '../../../src/runtimes/node/index.js'
import { listed, NOW, withFolder } from '../../unit/engine/open.js'

const run = promisify(execFile)
const CHILD = fileURLToPath(new URL('../../unit/engine/child.ts', import.meta.url))

/** What a process of its own reports. `blocks`: the largest file that it may write, in KiB. */
async function child(task: string, path: string, blocks?: number): Promise<Record<string, any>> {
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks}; `
  const { stdout } = await run('bash', [
    '-c',
    `${limit}exec "$@"`,
    'bash',
    process.execPath,
    '--import',
    'tsx',
    CHILD,
    task,
    path,
  ])
  return JSON.parse(stdout)
}

const clock = () => NOW
const items = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    text: `memory number ${i} about ${['tanks', 'pumps', 'valves'][i % 3]}`,
    id: `m${i}`,
    session: `s${i % 5}`,
    speaker: i % 2 ? 'Ann' : 'Bob',
    at: NOW - i * 1000,
    triples: i % 4 ? [] : [{ subject: 'Ann', predicate: 'fills', object: `tank ${i}` }],
  }))
const QUESTIONS = ['valves', 'What did Ann fill?', 'memory number 33', 'tank 8 of Ann', 'who', 'непонятно', '🚀']

async function answers(db: Agidb) {
  const all = []
  for (const cue of QUESTIONS) {
    const { id: _, elapsedMs: __, ...answer } = await db.recall(cue, { k: 20, traceAttention: true })
    all.push(answer)
  }
  const { episodes, sessions, speakers, concepts, terms } = await db.stats()
  return { all, counts: { episodes, sessions, speakers, concepts, terms }, listing: await listed(db, { limit: 1000 }) }
}

describe('a folder', () => {
  test('opened again gives the same answers as before', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ path, clock, seed: 3, extract: 'none' })
      await db.observeMany(items(300))
      await db.supersede('m4', 'm8')
      const made = await db.observe('One with an id of its own.')
      const before = await answers(db)
      await db.close()
      const again = await Agidb.open({ path, clock, seed: 3, extract: 'none' })
      expect(await answers(again)).toEqual(before)
      expect((await again.stats()).opening).toEqual([])
      const next = await again.observe('Another.')
      expect(next).not.toBe(made)
      await again.close()
    })
  })

  test('gives the same answers as memory, and as with the TypeScript kernel', async () => {
    await withFolder(async (path) => {
      const folder = await Agidb.open({ path, clock, extract: 'none' })
      const memory = await Agidb.open({ storage: 'memory', clock, extract: 'none' })
      const reference = await Agidb.open({ storage: 'memory', clock, extract: 'none', referenceKernel: true })
      const seen = []
      for (const db of [folder, memory, reference]) {
        for (const { text, ...context } of items(100)) await db.observe(text, context)
        const { all, listing } = await answers(db)
        seen.push({ all, listing })
        await db.close()
      }
      expect(seen[1]).toEqual(seen[0])
      expect(seen[2]).toEqual(seen[0])
    })
  })

  test('keeps what was acknowledged when close was never called', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path, clock })
      await db.observeMany(items(10))
      const copy = `${path}-copy`
      await run('cp', ['-r', path, copy])
      await run('rm', [`${copy}/lock`])
      const other = await Agidb.open({ extract: 'none', path: copy, clock })
      expect((await answers(other)).all).toEqual((await answers(db)).all)
      await other.close()
      await db.close()
    })
  })

  test('closed in the middle of a long observeMany says how much of it is durable', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path, clock })
      const observed = db.observeMany(items(1000)).then(
        () => undefined,
        (error: unknown) => error,
      )
      await db.close()
      expect(await observed).toMatchObject({ code: 'AGIDB_CLOSED', details: { observed: 256 } })
      const again = await Agidb.open({ extract: 'none', path, clock })
      expect((await again.stats()).episodes).toBe(256)
      await again.close()
    })
  })

  test('says where it is, how durable, and that it was made', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path })
      const { storage, durability, opening, kernel } = await db.stats()
      expect([storage, durability, opening.map(({ kind }) => kind), kernel]).toEqual([
        `folder ${path}`,
        'strict',
        ['created'],
        'wasm-simd',
      ])
      await db.flush()
      await db.close()
      expect(readdirSync(path)).toEqual(['index.agidb', 'journal-2.agidb', 'journal.agidb'])
    })
  })

  test('is open to one at a time: here and in another process', async () => {
    await withFolder(async (path) => {
      const db = await Agidb.open({ extract: 'none', path })
      await db.observe('Mine.')
      await expect(Agidb.open({ extract: 'none', path })).rejects.toMatchObject({ code: 'AGIDB_IN_USE' })
      expect(await child('open', path)).toMatchObject({ code: 'AGIDB_IN_USE', details: { pid: process.pid } })
      await db.observe('Still mine.')
      await db.close()
      expect(await child('open', path)).toBe('opened')
    })
  })

  test('reports the durable episodes of a full disk, still answers, and resumes once there is room', async () => {
    await withFolder(async (path) => {
      const told = await child('fill', path, 1200)
      expect(told.error).toMatchObject({
        code: 'AGIDB_QUOTA',
        message: expect.stringMatching(/\d+ of the items before it are durable/),
      })
      expect(told.again.code).toBe('AGIDB_QUOTA')
      expect(told.first).toBe('before')
      const { observed } = told.error.details
      expect(observed).toBeGreaterThan(0)
      expect(told.episodes).toBe(observed + 1)
      const db = await Agidb.open({ extract: 'none', path })
      const ids = (await listed(db, { limit: 10_000 })).map(({ id }) => id)
      expect(ids.slice(0, observed + 1)).toEqual(['before', ...Array.from({ length: observed }, (_, i) => `m${i}`)])
      // The second attempt got as far as there was room, and said so.
      expect(ids).toHaveLength(observed + 1 + told.again.details.observed)
      await db.observeMany(items(2000).slice(observed, observed + 300))
      expect((await db.recall(`memory number ${observed}`, { k: 1 })).matches[0].id).toBe(`m${observed}`)
      await db.close()
    })
  })
})

describe('Agidb.open', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['nothing', undefined, 'AGIDB_INVALID_ARGUMENT', /path of a folder, or storage: 'memory'/],
    ['no place', {}, 'AGIDB_INVALID_ARGUMENT', /path of a folder/],
    ['null', null, 'AGIDB_INVALID_ARGUMENT', /must be an object/],
    ['a string', '../../unit/engine/memory', 'AGIDB_INVALID_ARGUMENT', /must be an object/],
    ['an empty path', { path: '' }, 'AGIDB_INVALID_ARGUMENT', /path of a folder/],
    ['two places', { path: 'x', storage: 'memory' }, 'AGIDB_INVALID_ARGUMENT', /not both/],
    ['another storage', { storage: 'disk' }, 'AGIDB_INVALID_ARGUMENT', /"memory"/],
    ['an unknown option', { storage: 'memory', folder: 'x' }, 'AGIDB_UNKNOWN_OPTION', /"folder"/],
    [
      'another durability',
      { path: 'x', durability: 'eventual' },
      'AGIDB_INVALID_ARGUMENT',
      /durability is "eventual"; expected "strict" or "relaxed"/,
    ],
    [
      'a durability that follows from the place',
      { path: 'x', durability: 'idb-only' },
      'AGIDB_INVALID_ARGUMENT',
      /stats\(\) says them/,
    ],
    [
      'a durability of nothing',
      { storage: 'memory', durability: 'relaxed' },
      'AGIDB_INVALID_ARGUMENT',
      /keeps nothing/,
    ],
    ['a kernel that is none', { storage: 'memory', kernel: new Uint8Array([1, 2, 3]) }, 'AGIDB_KERNEL', /kernel/],
    [
      'a kernel that is not there',
      { storage: 'memory', kernel: new URL('file:///nowhere/kernel.wasm') },
      'AGIDB_KERNEL',
      /nowhere/,
    ],
  ])('refuses %s', async (_, options, code, message) => {
    await expect(Agidb.open(options as never)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('refuses a bad option before it touches the folder', async () => {
    await withFolder(async (path) => {
      await expect(Agidb.open({ extract: 'none', path, seed: -1 })).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
      await expect(Agidb.open({ extract: 'none', path, limits: { triples: NaN } })).rejects.toMatchObject({
        code: 'AGIDB_INVALID_ARGUMENT',
      })
      const db = await Agidb.open({ extract: 'none', path })
      expect((await db.stats()).opening[0].kind).toBe('created')
      await db.close()
    })
  })
})

test('stats say which durability is in force, and why', async () => {
  await withFolder(async (path) => {
    for (const [durability, why] of [
      ['strict', /flushed to the disk before it is acknowledged/],
      ['relaxed', /acknowledged, and flushed after 100 ms or 4 MiB; a crash of the process loses nothing/],
    ] as const) {
      const db = await Agidb.open({ extract: 'none', path, durability })
      const ids = []
      for (let i = 0; i < 5; i++) ids.push(await db.observe(`The ${durability} valve number ${i} is open.`))
      expect(await db.stats()).toMatchObject({ durability, durabilityReason: expect.stringMatching(why) })
      await db.close()
      const again = await Agidb.open({ extract: 'none', path })
      for (const id of ids) expect(await again.getEpisode(id)).toBeDefined()
      expect((await again.stats()).opening).toEqual([])
      expect((await again.verify()).problems).toEqual([])
      await again.close()
    }
  })
})

test.each([2, 4])('the fixture folder of format %i opens in this version with all of its floors', async (format) => {
  await withFolder(async (path) => {
    cpSync(new URL(`../../unit/storage/fixtures/folder-${format}`, import.meta.url), path, { recursive: true })
    expect(readFileSync(join(path, 'journal.agidb'))[8]).toBe(format)
    const db = await Agidb.open({ extract: 'none', path, codebook: 'none' })
    expect(await db.stats()).toMatchObject({ episodes: 11, goals: 2, beliefs: 1, procedures: 1, opening: [] })
    expect((await db.recall('what thai place did Sarah recommend?')).matches[0].text).toContain('Bawri')
    expect((await db.selfVector()).some((byte) => byte !== 0)).toBe(true)
    await db.observe('It goes on.')
    await db.close()
  })
})
