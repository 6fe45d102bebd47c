import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { VerifyReport } from '../../../src/api/verify.js'
import { openNode } from '../../../src/runtimes/node/engine.js'
import { verifyPath } from '../../../src/runtimes/node/verify.js'
import { crc32c } from '../../../src/base/crc32c.js'
import { listed, withFolder } from '../../unit/engine/open.js'

const JOURNAL = 'journal.agidb'
const COUNT = 1100
const items = Array.from({ length: COUNT }, (_, i) => ({
  text: `Pump ${i} of the ${['north', 'south'][i % 2]} tank runs at ${i * 7} turns.`,
  id: `m${i}`,
}))

let whole: string
let cleanup: () => void
/** Where the commits of the journal begin. */
let frames: number[]

beforeAll(async () => {
  await new Promise<void>((ready) => {
    void withFolder(async (path) => {
      const db = await openNode({ path })
      await db.observeMany(items)
      await db.remove('m5')
      await db.supersede('m6', 'm7')
      await db.close()
      whole = path
      const journal = readFileSync(join(path, JOURNAL))
      frames = []
      for (let at = 64; at < journal.length; at += 32 + journal.readUInt32LE(at + 8)) frames.push(at)
      ready()
      await new Promise<void>((done) => (cleanup = done))
    })
  })
  return () => cleanup()
})

/** A copy of the memory, damaged; what is found; what a repair leaves. */
async function damaged(
  damage: (path: string) => void,
  use: (path: string, report: VerifyReport) => Promise<void>,
): Promise<void> {
  await withFolder(async (path) => {
    cpSync(whole, path, { recursive: true })
    damage(path)
    const before = bytesOf(path)
    const report = await verifyPath(path)
    expect(bytesOf(path)).toEqual(before)
    await use(path, report)
  })
}

function bytesOf(path: string): Record<string, number> {
  return Object.fromEntries(readdirSync(path).map((name) => [name, crc32c(readFileSync(join(path, name)))]))
}

function flip(path: string, name: string, at: number): void {
  const bytes = readFileSync(join(path, name))
  bytes[at] ^= 8
  writeFileSync(join(path, name), bytes)
}

const codes = ({ problems }: VerifyReport): string[] => problems.map(({ code }) => code)

/** The memory after a repair, and where its damaged journal is kept. */
async function repaired(path: string): Promise<{ ids: string[]; texts: Map<string, string>; kept: string[] }> {
  const report = await verifyPath(path, { repair: true })
  expect(report.mended).toEqual(codes(report))
  expect(report.ok).toBe(true)
  expect(await verifyPath(path)).toMatchObject({ ok: true, problems: [] })
  const db = await openNode({ path })
  const all = await listed(db, { limit: 10_000 })
  expect((await db.recall('Pump 77 of the south tank')).matches[0].id).toBe('m77')
  await db.observe('And it goes on.')
  await db.close()
  const again = await openNode({ path })
  expect((await again.stats()).episodes).toBe(all.length + 1)
  await again.close()
  return {
    ids: all.map(({ id }) => id),
    texts: new Map(all.map(({ id, text }) => [id, text])),
    kept: readdirSync(path).filter((name) => name.includes('.torn-')),
  }
}

describe('verify', () => {
  test('of a memory that is well finds nothing, and reads all of it', async () => {
    await damaged(
      () => {},
      async (path, report) => {
        expect(report).toMatchObject({
          ok: true,
          problems: [],
          mended: [],
          // One is a tombstone; the record of its unlearning and the key of such records came.
          checked: { rows: COUNT + 2, commits: frames.length, mirrored: 0 },
        })
        expect(report.checked.parts).toBeGreaterThan(20)
        expect(report.checked.bytes).toBe(statSync(join(path, JOURNAL)).size + statSync(join(path, 'index.agidb')).size)
        const db = await openNode({ path })
        expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
        await db.remove('m100')
        await db.compact()
        // Another tombstone, and its record.
        expect(await db.verify()).toMatchObject({ ok: true, problems: [], checked: { rows: COUNT + 3 } })
        await db.close()
        expect(await verifyPath(path)).toMatchObject({ ok: true, problems: [] })
      },
    )
  })

  test('of a bit that is flipped in any part of the files says where', async () => {
    const size = statSync(join(whole, JOURNAL)).size
    for (const [at, code] of [
      [20, 'journal-header'],
      [frames[1] + 5000, 'journal-damaged'],
      [frames[2] + 9, 'journal-damaged'],
      [size - 3, 'journal-torn'],
    ] as const) {
      await damaged(
        (path) => flip(path, JOURNAL, at),
        async (_, report) => {
          expect(codes(report), `byte ${at}`).toContain(code)
          expect(report.ok).toBe(code === 'journal-torn')
        },
      )
    }
    const image = statSync(join(whole, 'index.agidb')).size
    for (const share of [0.2, 0.6, 0.99]) {
      await damaged(
        (path) => flip(path, 'index.agidb', Math.floor(8192 + share * (image - 8192))),
        async (path, report) => {
          // Between two parts there is room.
          if (codes(report).length === 0) return
          expect(codes(report)).toEqual(['image-damaged'])
          expect(report.ok).toBe(true)
          const mended = await verifyPath(path, { repair: true })
          expect(mended.mended).toEqual(['image-damaged'])
          expect((await verifyPath(path)).problems).toEqual([])
        },
      )
    }
  })

  test('of a memory that is open and whose image is damaged mends it', async () => {
    await damaged(
      () => {},
      async (path) => {
        const db = await openNode({ path })
        flip(path, 'index.agidb', 30_000)
        const report = await db.verify()
        expect([codes(report), report.mended]).toEqual([['image-damaged'], []])
        expect((await db.verify({ repair: true })).mended).toEqual(['image-damaged'])
        expect((await db.verify()).problems).toEqual([])
        await db.close()
        await expect(db.verify()).rejects.toMatchObject({ code: 'AGIDB_CLOSED' })
      },
    )
    const db = await openNode({ storage: 'memory', codebook: 'none' })
    expect(await db.verify()).toMatchObject({ ok: true, problems: [] })
    await expect(db.verify({ repair: 1 } as never)).rejects.toMatchObject({ code: 'AGIDB_INVALID_ARGUMENT' })
    await expect(db.verify({ fix: true } as never)).rejects.toMatchObject({ code: 'AGIDB_UNKNOWN_OPTION' })
    await db.close()
  })
})

describe('a repair', () => {
  test('of a damaged commit loses no more than what cannot be read, and keeps the damaged file', async () => {
    // In the row of the first memory of the second commit, its signature, and the header of the commit.
    for (const at of [frames[1] + 60, frames[1] + 1000, frames[1] + 10]) {
      await damaged(
        (path) => flip(path, JOURNAL, at),
        async (path) => {
          const bad = readFileSync(join(path, JOURNAL))
          const { ids, texts, kept } = await repaired(path)
          expect(kept.map((name) => readFileSync(join(path, name)))).toContainEqual(bad)
          const lost = items.filter(({ id }) => id !== 'm5' && !ids.includes(id))
          expect(lost.length).toBeLessThanOrEqual(at === frames[1] + 1000 ? 0 : at === frames[1] + 60 ? 1 : 256)
          for (const [id, text] of texts) expect(text).toBe(items[Number(id.slice(1))].text)
          expect(ids).not.toContain('m5')
        },
      )
    }
  })

  test('of a damaged header finds everything', async () => {
    await damaged(
      (path) => flip(path, JOURNAL, 20),
      async (path) => {
        const { ids } = await repaired(path)
        expect(ids.length).toBe(COUNT - 1)
      },
    )
  })

  test('of a journal that was moved and is gone is not possible, and the rest stays', async () => {
    await damaged(
      () => {},
      async (path) => {
        const db = await openNode({ path })
        await db.compact()
        await db.close()
        copyFileSync(join(path, 'journal-2.agidb'), join(path, 'elsewhere'))
        rmSync(join(path, 'journal-2.agidb'))
        expect(codes(await verifyPath(path))).toContain('journal-missing')
        await expect(openNode({ path })).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
        await expect(verifyPath(path, { repair: true })).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
        copyFileSync(join(path, 'elsewhere'), join(path, 'journal-2.agidb'))
        const again = await openNode({ path })
        expect((await again.stats()).episodes).toBe(COUNT - 1)
        await again.close()
      },
    )
  })

  test('of a torn tail and of what a crash left of a compaction is what opening does', async () => {
    await damaged(
      (path) => truncateSync(join(path, JOURNAL), statSync(join(path, JOURNAL)).size - 3),
      async (path, report) => {
        expect(codes(report)).toContain('journal-torn')
        expect((await repaired(path)).ids.length).toBe(COUNT - 1)
      },
    )
  })
})
