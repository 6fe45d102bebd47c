import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { readCodebook } from '../../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../../src/encoding/codebook/load.js'
import { heaviest } from '../../../src/encoding/heaviest.js'
import { openEngine } from '../../../src/engine/whole.js'
import type { Kernel, Query } from '../../../src/kernel/port.js'
import type { Cue } from '../../../src/recall/query/cue.js'
import { CAUTION, firstLook } from '../../../src/recall/evidence/first-look.js'
import { memoryStorage } from '../../../src/storage/adapters/memory.js'
import { nodeStorage } from '../../../src/storage/adapters/node/node.js'
import { withFolder } from '../engine/open.js'
import { reference, wasm } from '../kernel/kernels.js'

/** From so many episodes on a memory is large here. */
const { LARGE } = vi.hoisted(() => ({ LARGE: 100 }))

vi.mock('../../../src/recall/evidence/scores.js', async (original) => ({
  ...(await original<typeof import('../../../src/recall/evidence/scores.js')>()),
  LARGE_MEMORY: LARGE,
  dimensionsFor: (signatures: number, { planes }: Query) =>
    signatures > LARGE && planes !== undefined ? 400 : undefined,
}))

const NOW = 1_800_000_000_000
const WORDS = ['tank', 'pump', 'valve', 'orbit', 'crew', 'radio', 'signal', 'burn', 'noodles', 'river']
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    text: i % 17 === 0 ? '…' : `The ${WORDS[i % 10]} and the ${WORDS[(i * 7) % 9]} were checked ${i} times`,
    id: `m${i}`,
    session: `s${i % 4}`,
    speaker: i % 2 ? 'Ann' : 'Bob',
  }))
const CUES = ['Was the pump checked?', 'the crew and the radio', 'where was good food?', 'checked 33 times']
const codebook = await loadCodebook(await readCodebook())

/** The answers of a memory, and how many signatures were read for them. */
async function answersOf(
  kernel: Kernel,
  path: string | undefined,
  { count = 0, memoryBudget }: { readonly count?: number; readonly memoryBudget?: number } = {},
) {
  const storage = path === undefined ? memoryStorage() : nodeStorage(path)
  let read = 0
  const counted = {
    open: async (...args: Parameters<typeof storage.open>) => {
      const opened = await storage.open(...args)
      const { signatures } = opened
      return {
        ...opened,
        ...(signatures && {
          signatures: {
            ...signatures,
            visitPacked: (...[slots, visit]: Parameters<typeof signatures.visitPacked>) => {
              read += slots.length
              return signatures.visitPacked(slots, visit)
            },
          },
        }),
      }
    },
  }
  const db = await openEngine({
    kernel,
    codebook,
    storage: counted,
    clock: () => NOW,
    seed: 1,
    ...(memoryBudget !== undefined && { memoryBudget }),
  })
  if (count > 0) {
    await db.observeMany(itemsOf(count))
    await db.supersede('m3', 'm40')
    for (const id of ['m5', 'm50', 'm51']) await db.remove(id)
  }
  const found = []
  for (const options of [{}, { session: 's1' }])
    for (const cue of CUES)
      found.push((await db.recall(cue, { k: 20, whole: true, ...options })).matches.map(({ provenance: _, ...m }) => m))
  await db.close()
  return { found, read }
}

test('a large memory answers the same by both kernels, from rows, a folder and without stored signatures', async () => {
  await withFolder(async (path) => {
    const first = await answersOf(wasm, path, { count: 220 })
    expect(first.found.every((matches) => matches.length > 0)).toBe(true)
    const fromFolder = await answersOf(wasm, path, { memoryBudget: 0 })
    expect(fromFolder.read).toBeGreaterThan(0)
    expect(fromFolder.found).toEqual(first.found)
    expect((await answersOf(reference, path, { memoryBudget: 0 })).found).toEqual(first.found)
    expect((await answersOf(wasm, undefined, { count: 220 })).found).toEqual(first.found)
    expect((await answersOf(reference, undefined, { count: 220 })).found).toEqual(first.found)
  })
}, 60_000)

test('a first look asks what was scanned for, and nothing that was not', () => {
  const sum = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(sum, fc.integer({ min: 1, max: 600 }), (pattern, dimensions) => {
      const exact = reference.quantise(
        Int32Array.from({ length: 8192 }, (_, d) => pattern[(d * d + d) % pattern.length]),
      )
      if (exact.planes === undefined || exact.norm === 0) return
      const structured: Query = { signs: new Uint8Array(1024), norm: 1 }
      const cue = { queries: { text: exact, order: exact, structured } } as unknown as Cue
      const query = heaviest(exact, dimensions)
      const first = firstLook(cue, [{ space: 'text', query, exact, dimensions }])
      expect(first.order).toBeUndefined()
      expect(first.structured).toBe(structured)
      expect(first.text).toMatchObject({ signs: query.signs, planes: query.planes })
      // A signature that has every sign of the query deviates as far as the exact score says.
      const signature = exact.signs
      for (const kernel of [reference, wasm]) {
        const arena = kernel.arena()
        arena.set(7, signature)
        const [estimated] = arena.score(first.text!, Uint32Array.of(7))
        const magnitude = (d: number) =>
          [0, 1, 2, 3].reduce((m, p) => m | (((exact.planes![p * 1024 + (d >> 3)] >> (d & 7)) & 1) << p), 0)
        const chosen = Array.from({ length: 8192 }, (_, d) => d).filter((d) => (query.planes![d >> 3] >> (d & 7)) & 1)
        expect(estimated).toBe(chosen.length)
        expect(first.text!.norm / CAUTION).toBeCloseTo(chosen.reduce((all, d) => all + magnitude(d), 0) / exact.norm, 9)
        arena.free()
      }
    }),
    { numRuns: 20 },
  )
})

test('deviations of a first look are those of a closer one, with an error of about two', () => {
  const names = Array.from({ length: 400 }, (_, i) => `feature ${i}`)
  const asked = names.slice(0, 12)
  const exact = wasm.quantise(wasm.superpose(asked, new Int32Array(12).fill(1)))
  const query = heaviest(exact, 268)
  const cue = { queries: { text: exact } } as unknown as Cue
  const first = firstLook(cue, [{ space: 'text', query, exact, dimensions: 268 }]).text!
  const arena = wasm.arena()
  const slots = Uint32Array.from({ length: 500 }, (_, slot) => slot)
  for (const slot of slots) {
    const own = Array.from({ length: 14 }, (_, i) => names[i < slot % 8 ? i : 12 + ((slot * 31 + i * 7) % 388)])
    arena.set(slot, wasm.textSignature([...new Set(own)], new Int32Array(new Set(own).size).fill(1)))
  }
  const near = arena.score(first, slots)
  const all = arena.score(exact, slots)
  const errors = Array.from(slots, (slot) => (CAUTION * near[slot]) / first.norm - all[slot] / exact.norm)
  const mean = errors.reduce((a, b) => a + b, 0) / errors.length
  const deviation = Math.sqrt(errors.reduce((a, b) => a + (b - mean) ** 2, 0) / errors.length)
  expect(Math.abs(mean)).toBeLessThan(0.5)
  expect(deviation).toBeGreaterThan(1)
  expect(deviation).toBeLessThan(3)
  arena.free()
})
