import { altered } from '../../unit/storage/altered-adapter.js'
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { parseCodebook, type Codebook } from '../../../src/encoding/codebook/codebook.js'
import type { Observation } from '../../../src/api/episode.js'
import type { Engine } from '../../../src/engine/engine.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { EngineOptions } from '../../../src/engine/options.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { kernel } from '../../unit/encoding/kernel.js'
import { runs } from '../../runs.js'
import { listed, NOW, withFolder } from '../../unit/engine/open.js'

const codebook = parseCodebook(await readCodebook())
const IMAGE = 'index.agidb'

function open(path: string, options: Partial<EngineOptions> = {}): Promise<Engine> {
  return openEngine({
    kernel,
    codebook,
    storage: nodeStorage(path),
    seed: 1,
    clock: () => NOW,
    keepAfter: 1,
    ...options,
  })
}

const LINES = readFileSync(new URL('../../../demo/data/apollo13.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1000, 1400)
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

const CUES = [
  'Who saw something venting?',
  'main bus undervolt',
  LINES[7].text,
  'What did Jim Lovell say?',
  'how many amps',
]

/** All that can be asked, answered. */
async function answers(db: Engine): Promise<unknown> {
  const asked = []
  for (const cue of CUES) {
    const { id: _, elapsedMs: __, ...answer } = await db.recall(cue, { k: 8, context: 1 })
    asked.push(answer)
    asked.push((await db.recall(cue, { session: LINES[30].session, speaker: LINES[30].speaker })).matches)
  }
  const {
    bytes: _,
    memory: __,
    memoryParts: ___,
    opening: ____,
    storage: _____,
    room: ______,
    ...stats
  } = await db.stats()
  return {
    asked,
    stats,
    episodes: await listed(db),
    goals: await db.activeGoals(),
    beliefs: await db.whatDoIBelieve('LM'),
  }
}

type Step =
  | { readonly kind: 'observe'; readonly from: number; readonly count: number }
  | { readonly kind: 'remove' | 'supersede' | 'believe'; readonly at: number; readonly by: number }
  | { readonly kind: 'goal' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'kill' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('observe' as const),
      from: fc.nat(390),
      count: fc.integer({ min: 1, max: 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('remove' as const, 'supersede' as const, 'believe' as const),
      at: fc.nat(399),
      by: fc.nat(399),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'goal' }, { kind: 'restart' }, { kind: 'kill' }) },
)

/** Takes a step and answers the engine after it. A step that makes no sense is refused, and changes nothing. */
async function take(db: Engine, path: string, step: Step): Promise<Engine> {
  const here = async (id: string) => (await db.getEpisode(id)) !== undefined
  if (step.kind === 'restart') {
    await db.close()
    return open(path)
  }
  if (step.kind === 'kill') {
    // What a process that is killed leaves: the journal goes on after the image.
    await db.flush()
    cpSync(join(path, IMAGE), `${path}.image`)
    await db.close()
    cpSync(`${path}.image`, join(path, IMAGE))
    return open(path)
  }
  if (step.kind === 'observe') {
    const items = []
    for (const line of LINES.slice(step.from, step.from + step.count)) if (!(await here(line.id))) items.push(line)
    await db.observeMany(items)
  } else if (step.kind === 'goal') await db.setGoal({ description: 'bring the crew home' })
  else if (await here(LINES[step.at].id)) {
    const { id, text } = LINES[step.at]
    if (step.kind === 'remove') await db.remove(id)
    else if (step.kind === 'believe') await db.assertBelief({ claim: `LM: ${text}`, confidence: 0.6, evidence: [id] })
    else if (step.by !== step.at && (await here(LINES[step.by].id)))
      await db.supersede(id, LINES[step.by].id).catch(() => {})
  }
  return db
}

describe('a memory opened from an image', () => {
  test('answers as one that made its indexes from the episodes, whatever its history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) =>
        withFolder(async (path) => {
          let db = await open(path)
          for (const one of steps) db = await take(db, path, one)
          const expected = await answers(db)
          await db.close()
          db = await open(path)
          expect(await answers(db)).toEqual(expected)
          await db.close()
          rmSync(join(path, IMAGE))
          db = await open(path)
          expect(await answers(db)).toEqual(expected)
          await db.close()
        }),
      ),
      { numRuns: runs(4) },
    )
  })

  test('reads neither rows nor signatures of the episodes that are in it', () =>
    withFolder(async (path) => {
      let db = await open(path)
      await db.observeMany(LINES)
      await db.close()
      const storage = nodeStorage(path)
      const visited: number[] = []
      db = await open(path, {
        storage: {
          open: (visit, ...rest) => storage.open((stored) => (visited.push(stored.slot), visit(stored)), ...rest),
        },
      })
      expect(visited).toEqual([])
      expect((await db.stats()).episodes).toBe(LINES.length)
      expect((await db.recall(LINES[3].text)).matches[0].id).toBe(LINES[3].id)
      await db.close()
    }))

  test('is made again when the image is damaged, cut short, of something else or gone', () =>
    withFolder(async (path) => {
      let db = await open(path)
      await db.observeMany(LINES)
      const expected = await answers(db)
      await db.close()
      const image = readFileSync(join(path, IMAGE))
      const other = await withFolder(async (path) => {
        const db = await open(path)
        await db.observeMany(LINES.slice(0, 50))
        await db.close()
        return readFileSync(join(path, IMAGE))
      })
      const damages: [string, () => void][] = [
        ['cut short', () => truncateSync(join(path, IMAGE), image.length >> 1)],
        ['of another memory', () => writeFileSync(join(path, IMAGE), other)],
        ['gone', () => rmSync(join(path, IMAGE))],
        ['noise', () => writeFileSync(join(path, IMAGE), new Uint8Array(50_000).fill(7))],
        ...[0.1, 0.3, 0.5, 0.7, 0.9].map((where): [string, () => void] => [
          `a bit at ${where}`,
          () => {
            const bytes = Uint8Array.from(image)
            bytes[Math.floor(where * bytes.length)] ^= 4
            writeFileSync(join(path, IMAGE), bytes)
          },
        ]),
      ]
      for (const [name, damage] of damages) {
        writeFileSync(join(path, IMAGE), image)
        damage()
        db = await open(path)
        expect(await answers(db), name).toEqual(expected)
        await db.close()
      }
      // And it is whole again.
      expect(statSync(join(path, IMAGE)).size).toBeGreaterThan(0)
      db = await open(path)
      expect((await db.stats()).opening).toEqual([])
      await db.close()
    }))

  test('is not used with another codebook, or with none', () =>
    withFolder(async (path) => {
      let db = await open(path)
      await db.observeMany(LINES.slice(0, 100))
      const expected = await answers(db)
      await db.close()
      const without = await open(path, { codebook: undefined as unknown as Codebook })
      expect((await without.recall(LINES[3].text)).matches[0].id).toBe(LINES[3].id)
      await without.close()
      db = await open(path)
      expect(await answers(db)).toEqual(expected)
      await db.close()
    }))
})

test('while there is no pause an image is kept, too, if that takes little of the time', async () => {
  await withFolder(async (path) => {
    let kept = 0
    const storage = altered(nodeStorage(path), ({ checkpoint }) => ({
      checkpoint: {
        async write(parts) {
          kept++
          await new Promise((resolve) => setTimeout(resolve, 2000)) // so it is not worth it again for forty seconds
          await checkpoint!.write(parts)
        },
      },
    }))
    const db = await open(path, { storage, keepAfter: 10 })
    for (const at of [0, 100, 200]) {
      await db.observeMany(LINES.slice(at, at + 100))
      await db.flush()
      expect(kept).toBe(1)
    }
    await db.close()
    expect(kept).toBe(2)
  })
})
