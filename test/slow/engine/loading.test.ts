import { altered } from '../../unit/storage/altered-adapter.js'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook } from '../../../src/encoding/codebook/codebook.js'
import type { Observation } from '../../../src/api/episode.js'
import type { Engine } from '../../../src/engine/engine.js'
import { turn } from '../../../src/base/event-loop-turn.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { referenceKernel } from '../../../src/kernel/reference/kernel.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import type { StorageAdapter, StoredCheckpoint } from '../../../src/api/storage.js'
import { runs } from '../../runs.js'
import { listed, NOW, withFolder } from '../../unit/engine/open.js'

/** With blocks so small that even these few memories have many. */
const kernel = referenceKernel(16)
const codebook = parseCodebook(await readCodebook())
const IMAGE = 'index.agidb'

const LINES = readFileSync(new URL('../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1000, 1128)
  .map((line, i): Observation & { readonly id: string } => {
    const { at, speaker, text } = JSON.parse(line) as { at: string; speaker: string; text: string }
    return {
      id: `line ${i}`,
      at,
      speaker,
      text,
      session: `hour ${at.slice(0, 13)}`,
      ...(i % 3 === 0 && { triples: [{ subject: speaker, predicate: 'says', object: text.slice(0, 20) }] }),
    }
  })

const CUES = ['Who saw something venting?', LINES[7].text, 'What did Jim Lovell say?']

function open(path: string, options: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({
    kernel,
    codebook,
    storage: nodeStorage(path),
    seed: 1,
    clock: () => NOW,
    keepAfter: 1,
    lateFrom: Infinity,
    ...options,
  })
}

async function answers(db: Engine): Promise<unknown> {
  const asked = []
  for (const cue of CUES) {
    const { id: _, elapsedMs: __, ...answer } = await db.recall(cue, { k: 8, whole: true })
    asked.push(answer)
    asked.push((await db.recall(cue, { session: LINES[30].session, whole: true })).matches)
  }
  return { asked, episodes: await listed(db) }
}

/** A storage whose image is read, once it is open, only as far as it is let. */
function gated(path: string): { readonly storage: StorageAdapter; let(pieces: number, db?: Engine): Promise<void> } {
  const storage = nodeStorage(path)
  let allowed = Infinity
  let asking = (): void => {}
  const waiting: (() => void)[] = []
  const slow = (image: StoredCheckpoint): StoredCheckpoint => ({
    parts: (prefix) => image.parts(prefix),
    marked: (name) => image.marked(name),
    fill: async (...asked) => {
      while (allowed <= 0) await new Promise<void>((resolve) => waiting.push(resolve))
      allowed--
      asking()
      return image.fill(...asked)
    },
  })
  return {
    storage: {
      open: async (visit, use) => {
        const opened = await storage.open(
          visit,
          use && {
            load: (image) => use.load(slow(image)),
            reset: (error) => use.reset(error),
            change: (...change) => use.change(...change),
            has: (slot) => use.has(slot),
          },
        )
        allowed = 0
        return opened
      },
    },
    async let(pieces, db) {
      allowed = pieces
      for (const resolve of waiting.splice(0)) resolve()
      // There may be fewer left.
      const isOver = async () => db !== undefined && (await db.stats()).loading === undefined
      while (allowed > 0 && allowed < Infinity && waiting.length === 0 && !(await isOver())) {
        await Promise.race([
          new Promise<void>((resolve) => (asking = resolve)),
          new Promise((resolve) => setTimeout(resolve, 5)),
        ])
      }
    },
  }
}

/** A folder with all lines in it. */
async function filled(path: string): Promise<unknown> {
  const db = await open(path)
  await db.observeMany(LINES)
  const expected = await answers(db)
  await db.close()
  return expected
}

describe('while older signatures are being loaded', () => {
  test('recall answers and says how many have theirs; what is whole waits, and is whole', () =>
    withFolder(async (path) => {
      const expected = await filled(path)
      const gate = gated(path)
      const db = await open(path, { storage: gate.storage, lateFrom: 32 })
      const newest = await db.recall(LINES[127].text)
      expect(newest.matches[0].id).toBe('line 127')
      expect(newest.loading!.total).toBe(128)
      expect(newest.loading!.done).toBeGreaterThan(0)
      expect(newest.loading!.done).toBeLessThan(48)
      expect((await db.stats()).loading).toEqual(newest.loading)
      // Of an old one the words are known.
      expect((await db.recall(LINES[3].text)).matches[0].id).toBe('line 3')
      await gate.let(4, db)
      expect((await db.recall(LINES[3].text)).loading!.done).toBeGreaterThan(newest.loading!.done)
      const whole = answers(db)
      await gate.let(Infinity)
      expect(await whole).toEqual(expected)
      expect((await db.recall(LINES[3].text)).loading).toBeUndefined()
      expect((await db.stats()).loading).toBeUndefined()
      expect((await db.stats()).opening).toEqual([])
      await db.close()
    }))

  test('changes made during loading give the same memory as one that indexed every episode again', async () => {
    const change = fc.record({
      kind: fc.constantFrom(
        'observe' as const,
        'remove' as const,
        'supersede' as const,
        'recall' as const,
        'load' as const,
      ),
      at: fc.nat(95),
      by: fc.nat(95),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 2, maxLength: 12 }), fc.boolean(), (changes, finish) =>
        withFolder(async (path) => {
          let db = await open(path)
          await db.observeMany(LINES.slice(0, 96))
          await db.close()
          const gate = gated(path)
          db = await open(path, { storage: gate.storage, lateFrom: 32 })
          for (const { kind, at, by } of changes) {
            const here = async (id: string) => (await db.getEpisode(id)) !== undefined
            if (kind === 'load') await gate.let(1 + (at % 5), db)
            else if (kind === 'recall') await db.recall(LINES[at].text)
            else if (kind === 'observe') {
              const line = LINES[96 + (at % 32)]
              if (!(await here(line.id))) await db.observeMany([line])
            } else if (await here(LINES[at].id)) {
              if (kind === 'remove') await db.remove(LINES[at].id)
              else if (at !== by && (await here(LINES[by].id)))
                await db.supersede(LINES[at].id, LINES[by].id).catch(() => {})
            }
          }
          if (finish) {
            await gate.let(Infinity)
            await db.loaded()
          }
          const whole = finish ? await answers(db) : undefined
          const closed = db.close()
          await gate.let(Infinity)
          await closed
          db = await open(path)
          const later = await answers(db)
          await db.close()
          rmSync(join(path, IMAGE))
          db = await open(path)
          const made = await answers(db)
          await db.close()
          expect(later).toEqual(made)
          if (finish) expect(whole).toEqual(made)
        }),
      ),
      { numRuns: runs(2) },
    )
  }, 180_000)

  test('what is damaged in the image is made again from the episodes, is said, and is kept whole', () =>
    withFolder(async (path) => {
      const expected = await filled(path)
      const image = readFileSync(join(path, IMAGE))
      let seen = 0
      // Anywhere: some of it is read when the memory is opened.
      for (const where of [0.3, 0.55, 0.65, 0.7]) {
        const bytes = Uint8Array.from(image)
        bytes[Math.floor(where * bytes.length)] ^= 4
        writeFileSync(join(path, IMAGE), bytes)
        let db = await open(path, { lateFrom: 32 })
        expect(await answers(db), `a bit at ${where}`).toEqual(expected)
        const { opening } = await db.stats()
        seen += opening.filter(({ kind, message }) => kind === 'index-damaged' && message.includes('that part')).length
        expect(opening.every(({ kind }) => kind === 'index-damaged')).toBe(true)
        await db.close()
        db = await open(path, { lateFrom: 32 })
        expect(await answers(db)).toEqual(expected)
        if (opening.length > 0) expect((await db.stats()).opening).toEqual([])
        await db.close()
      }
      expect(seen).toBeGreaterThan(0)
    }))

  test('closing does not wait for it, and leaves the image as it is', () =>
    withFolder(async (path) => {
      const expected = await filled(path)
      const image = readFileSync(join(path, IMAGE))
      const gate = gated(path)
      let db = await open(path, { storage: gate.storage, lateFrom: 32 })
      await db.observe('one more')
      const closed = db.close()
      await gate.let(1) // what is being read
      await closed
      expect(readFileSync(join(path, IMAGE)).equals(image)).toBe(true)
      db = await open(path, { lateFrom: 32 })
      await db.remove((await db.recall('one more', { whole: true })).matches[0].id)
      expect(await answers(db)).toEqual(expected)
      await db.close()
    }))

  test('compaction, verification, consolidation and import come after it', () =>
    withFolder(async (path) => {
      const expected = await filled(path)
      const gate = gated(path)
      let db = await open(path, { storage: gate.storage, lateFrom: 32 })
      const done: string[] = []
      const all = Promise.all([
        db.compact().then(() => done.push('compact')),
        db.verify({ repair: true }).then(({ ok }) => done.push(`verify ${ok}`)),
        db.consolidate().then(() => done.push('consolidate')),
      ])
      await db.recall(CUES[0])
      const imported = db
        .import(new Blob(['{"text":"other"}\n']).stream())
        .catch(({ code }: { code: string }) => done.push(code))
      await turn()
      expect(done).toEqual([])
      await gate.let(Infinity)
      await all
      await imported
      expect(done.sort()).toEqual(['AGIDB_NOT_EMPTY', 'compact', 'consolidate', 'verify true'])
      await db.close()
      db = await open(path)
      expect(JSON.stringify(((await answers(db)) as { episodes: unknown }).episodes)).toBe(
        JSON.stringify((expected as { episodes: unknown }).episodes),
      )
      await db.close()
    }))

  test('what can be read neither from the image nor from the journal is still found by its words', () =>
    withFolder(async (path) => {
      await filled(path)
      const storage = nodeStorage(path)
      const broken: StorageAdapter = altered(
        {
          open: (visit, use) =>
            storage.open(
              visit,
              use && {
                load: (image) => {
                  let filled = 0
                  return use.load({
                    parts: (prefix) => image.parts(prefix),
                    marked: (name) => image.marked(name),
                    fill: (...asked) =>
                      filled++ > 8 ? Promise.reject(new Error('the disk is tired')) : image.fill(...asked),
                  })
                },
                reset: (error) => use.reset(error),
                change: (...change) => use.change(...change),
                has: (slot) => use.has(slot),
              },
            ),
        },
        ({ signatures }) => ({
          signatures: {
            ...signatures!,
            visitEpisodes: () => Promise.reject(new Error('so is the other copy')),
          },
        }),
      )
      let db = await open(path, { storage: broken, lateFrom: 32 })
      const answer = await db.recall(LINES[3].text, { whole: true })
      expect(answer.matches[0].id).toBe('line 3')
      expect(answer.loading!.done).toBeLessThan(128)
      expect((await db.stats()).opening).toMatchObject([
        { kind: 'index-damaged', details: { reason: 'so is the other copy' } },
      ])
      await db.observe('one more')
      await db.close()
      db = await open(path, { lateFrom: 32 })
      expect((await db.recall(LINES[3].text, { whole: true })).loading).toBeUndefined()
      expect((await db.stats()).opening).toEqual([])
      await db.close()
    }))
})
