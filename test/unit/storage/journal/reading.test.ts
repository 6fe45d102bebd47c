import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AgidbError } from '../../../../src/base/errors.js'
import { encodeHeader, newHeader, type JournalHeader } from '../../../../src/storage/journal/frame.js'
import { replay } from '../../../../src/storage/journal/replay.js'
import { CheckpointFile } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import { Journal } from '../../../../src/storage/journal/journal.js'
import { readJournalHeader } from '../../../../src/storage/journal/journal-header.js'
import type { StorageChange, CheckpointLoader, SignatureKind, EncodedSignatures } from '../../../../src/api/storage.js'
import { listed, modelOf, noise, put, puts, sign, type Kept } from '../../../../src/storage/contract/episodes.js'
import { runs } from '../../../runs.js'
import { MemoryFile } from '../memory-file.js'

const KINDS: readonly SignatureKind[] = ['text', 'structured', 'latent', 'sentence']
const update = (slot: number, seed: number, bytes = 33): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, bytes),
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })

async function journalOf(
  commits: readonly (readonly StorageChange[])[],
  header: JournalHeader = newHeader(0),
): Promise<{ journal: Journal; file: MemoryFile }> {
  const file = new MemoryFile(encodeHeader(header))
  const journal = await Journal.open(
    file,
    header,
    async () => '',
    () => {},
  )
  for (const commit of commits) await journal.append(commit)
  return { journal, file }
}

/** Signatures as they are where they lie. */
async function signaturesOf(journal: Journal, slots: readonly number[]): Promise<[number, EncodedSignatures][]> {
  const found: [number, EncodedSignatures][] = []
  await journal.signatures((slot, packed) => {
    const { bytes, encoder } = packed
    const kinds = KINDS.filter((kind) => packed.start(kind) >= 0)
    const signatures = Object.fromEntries(
      kinds.map((kind) => [kind, bytes.slice(packed.start(kind), packed.start(kind) + packed.length(kind))]),
    )
    for (const kind of KINDS)
      if (!kinds.includes(kind)) expect([packed.start(kind), packed.length(kind)]).toEqual([-1, 0])
    found.push([slot, { signatures, ...(encoder !== undefined && { encoder }) }])
  }, slots)
  return found
}

describe('what a journal has of its slots', () => {
  test('is the same however it is read, after any commits', async () => {
    const signed = fc.record({
      kinds: fc.subarray([...KINDS]),
      encoder: fc.integer({ min: 0, max: 255 }),
      bytes: fc.integer({ min: 0, max: 40 }),
    })
    const step = fc.record({
      op: fc.constantFrom(
        'put' as const,
        'put' as const,
        'setSignatures' as const,
        'setSignatures' as const,
        'update' as const,
        'remove' as const,
      ),
      pick: fc.nat(99),
      signed,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
        fc.array(fc.nat(30)),
        async (steps, asked) => {
          let next = 0
          let seed = 0
          const live = new Set<number>()
          const commits = steps.map((commit) =>
            commit.map(({ op, pick, signed: { kinds, encoder, bytes } }): StorageChange => {
              const slot = [...live][pick % Math.max(1, live.size)]
              const signatures = Object.fromEntries(kinds.map((kind) => [kind, noise(seed++, bytes)]))
              if (op === 'put' || slot === undefined) {
                live.add(next)
                return { op: 'put', slot: next, id: `ep_${next++}`, row: noise(seed++, bytes), signatures, encoder }
              }
              if (op === 'setSignatures') return { op, slot, id: `ep_${slot}`, signatures, encoder }
              if (op === 'update') return update(slot, seed++, bytes)
              live.delete(slot)
              return remove(slot)
            }),
          )
          const { journal } = await journalOf(commits)
          const model = modelOf(...commits)
          const found = await journal.read(asked)
          const wanted = asked.filter((slot) => model.has(slot))
          expect(found.map(({ slot }) => slot)).toEqual(wanted)
          const kept = (slots: readonly number[]): unknown[] =>
            listed(new Map(slots.map((slot) => [slot, model.get(slot)!])))
          expect(
            listed(
              new Map(
                found.map(({ slot, id, row, signatures, encoder }): [number, Kept] => [
                  slot,
                  { id, row, ...signatures, encoder },
                ]),
              ),
            ),
          ).toEqual(kept(wanted))
          expect(await journal.rows(asked)).toEqual(asked.map((slot) => model.get(slot)?.row))
          expect((await journal.latest(asked)).map((latest) => latest?.id)).toEqual(
            asked.map((slot) => model.get(slot)?.id),
          )
          const ascending = [...wanted].sort((a, b) => a - b)
          expect(await signaturesOf(journal, asked)).toEqual(
            ascending.map((slot) => {
              const { id: _, row: __, encoder, ...signatures } = model.get(slot)!
              return [slot, { signatures, ...(encoder !== undefined && { encoder }) }]
            }),
          )
          expect(journal.liveSlots(2, 9)).toEqual([...live].filter((slot) => slot >= 2 && slot < 9))
        },
      ),
      { numRuns: runs(100) },
    )
  })

  test('is read in its own arrays, of no more bytes than it has', async () => {
    const { journal } = await journalOf([puts(0, 20), [sign(3, { latent: noise(1, 50) })]])
    for (const { row, signatures } of await journal.read([3, 4])) {
      for (const bytes of [row, ...Object.values(signatures)]) expect(bytes!.buffer.byteLength).toBe(bytes!.length)
    }
    for (const row of await journal.rows([0, 1])) expect(row!.buffer.byteLength).toBe(row!.length)
  })

  test('is read piece by piece: no more of it is held at once than a few megabytes', async () => {
    const rows = 400_000
    // Ten rows, then the same slots signed and their rows replaced, so that each reading must add these up.
    const big = Array.from(
      { length: 10 },
      (_, slot): StorageChange => ({
        op: 'put',
        slot,
        id: `ep_${slot}`,
        row: noise(slot, rows),
        signatures: { text: noise(slot, 60_000) },
      }),
    )
    const signs = big.map(({ slot }) => sign(slot, { latent: noise(slot, 60_000), sentence: noise(slot + 1, 60_000) }))
    const updates = big.map(({ slot }) => update(slot, slot + 50, rows))
    const { journal, file } = await journalOf([big, signs, updates])
    const before = { visit: -1, signatures: -1 }
    let start = file.bytesRead
    await journal.visit(() => {
      if (before.visit < 0) before.visit = file.bytesRead - start
    })
    // One that is over the limit with the first, or two.
    expect(before.visit).toBeLessThan(2_200_000)
    expect(file.bytesRead - start).toBeGreaterThan(9_000_000)
    start = file.bytesRead
    await journal.signatures(
      () => {
        if (before.signatures < 0) before.signatures = file.bytesRead - start
      },
      journal.liveSlots(0, 10),
    )
    expect(before.signatures).toBeLessThan(2_500_000)
    const short = await journalOf([puts(0, 3000)])
    start = short.file.bytesRead
    let first = 0
    await short.journal.signatures(
      () => {
        first ||= short.file.bytesRead - start
      },
      short.journal.liveSlots(0, 3000),
    )
    expect([first < 1_200_000, first > 900_000]).toEqual([true, true])
  })

  test('is read from other slots again in the memory of the last reading', async () => {
    const { journal } = await journalOf([puts(0, 50)])
    const buffers = new Set<ArrayBufferLike>()
    const read = async (slots: readonly number[]): Promise<void> => {
      await journal.signatures((_, { bytes }) => void buffers.add(bytes.buffer), slots)
    }
    await read(journal.liveSlots(0, 50))
    for (const slots of [[3], [1, 40], journal.liveSlots(0, 50)]) {
      await read(slots)
      expect(await signaturesOf(journal, slots)).toEqual(
        slots.map((slot) => [slot, { signatures: put(slot).signatures, encoder: 0 }]),
      )
    }
    expect(buffers.size).toBe(1)
    // Two at once have each their own.
    const both = new Set<ArrayBufferLike>()
    await Promise.all(
      [
        [1, 2],
        [3, 4],
      ].map((slots) => journal.signatures((_, { bytes }) => void both.add(bytes.buffer), slots)),
    )
    expect(both.size).toBe(2)
  })
})

describe('a journal', () => {
  test('of version 1 stays one until the first change that its readers would not know', async () => {
    const { journal, file } = await journalOf([[put(0)], [update(0, 4)], [remove(0)]], {
      ...newHeader(0),
      version: 1,
      checked: false,
    })
    expect([journal.header.version, file.content()[8]]).toEqual([1, 1])
    file.log.length = 0
    await journal.append([put(1), sign(1, { latent: noise(1, 9) })])
    expect([journal.header.version, (await readJournalHeader(file))?.version]).toEqual([2, 2])
    // Raised and flushed before the frame is written.
    expect(file.log.slice(0, 3)).toEqual(['write at 0', 'flush', expect.stringMatching(/^write at \d\d+$/)])
    file.log.length = 0
    await journal.append([sign(1, { latent: noise(2, 9) })])
    expect(file.log).not.toContain('write at 0')
    const before = file.content()
    await journal.append([])
    expect(file.content()).toEqual(before)
  })

  test('knows the place of each of its frames, and no other', async () => {
    const { journal } = await journalOf([[put(0)], [put(1)]])
    const { next } = await journal.changesFrom(journal.start, 1)
    expect([await journal.has(journal.start), await journal.has(next), await journal.has(journal.end)]).toEqual([
      true,
      true,
      true,
    ])
    for (const wrong of [
      { ...next, at: next.at + 1 },
      { ...next, lsn: 0 },
      { ...next, lsn: 2 },
      { ...journal.end, lsn: 1 },
      { lsn: -1, at: 0 },
      { lsn: 2, at: journal.end.at + 9 },
    ]) {
      expect(await journal.has(wrong), JSON.stringify(wrong)).toBe(false)
    }
    // Whole commits, at least as many changes as were asked for.
    expect((await journal.changesFrom(journal.start, 1)).changes.length).toBe(1)
    expect((await journal.changesFrom(journal.start, 2)).changes.length).toBe(2)
    expect(await journal.changesFrom(journal.start, 9, next)).toMatchObject({ changes: [{ slot: 0 }], next })
  })

  test('says how much of it is garbage', async () => {
    const { journal } = await journalOf([puts(0, 3)])
    const whole = journal.garbage
    expect(whole.of).toBe(journal.bytes)
    // The header of a frame and a number of entries.
    expect(whole.bytes).toBe(32 + 4)
    await journal.append([remove(1)])
    expect(journal.garbage.bytes).toBe(2 * 36 + 2 * (16 + 4) + 40 + 2 * 1028 + 4)
  })
})

describe('what is handed over at opening', () => {
  const commits = [puts(0, 4), [remove(1)]]
  const later = [[put(4), update(0, 70)], [remove(2), sign(3, { latent: noise(5, 9) })], puts(5, 300)]

  async function handed(use?: Partial<CheckpointLoader>, image = true) {
    const { journal: first, file } = await journalOf(commits)
    const place = new MemoryFile()
    if (image) await first.keep(await CheckpointFile.open(place), [{ name: 'part', array: () => noise(1, 9) }])
    for (const commit of later) await first.append(commit)
    const journal = await Journal.open(
      file,
      (await readJournalHeader(file))!,
      async () => '',
      () => {},
      await CheckpointFile.open(place),
    )
    const visited: number[] = []
    const changed: [string, number, Uint8Array | undefined][] = []
    const resets: unknown[] = []
    await replay(
      journal,
      ({ slot }) => visited.push(slot),
      use && {
        load: async () => true,
        reset: (error) => void resets.push(error),
        change: ({ op, slot }, row) => void changed.push([op, slot, row]),
        has: () => false,
        ...use,
      },
    )
    return { visited, changed, resets, journal }
  }
  const all = [0, 3, 4, ...Array.from({ length: 300 }, (_, i) => 5 + i)]

  test('is everything where there is no image, nobody who uses it, or it does not fit', async () => {
    expect(await handed()).toMatchObject({ visited: all })
    expect(await handed({ load: () => Promise.reject(new Error('asked')) }, false)).toMatchObject({
      visited: all,
      changed: [],
      resets: [],
    })
    expect(await handed({ load: async () => false })).toMatchObject({ visited: all, changed: [], resets: [] })
  })

  test('is the image, what came after it in order, and what neither has', async () => {
    const parts: string[] = []
    const { visited, changed, resets } = await handed({
      load: async (image) => {
        parts.push(...(await image.parts('')).keys())
        return true
      },
      has: (slot) => slot !== 3 && slot < 100,
    })
    expect(parts).toContain('part')
    expect(visited).toEqual(all.filter((slot) => slot === 3 || slot >= 100))
    expect(changed.slice(0, 4)).toEqual([
      ['put', 4, undefined],
      ['update', 0, undefined],
      ['remove', 2, put(2).row],
      ['setSignatures', 3, undefined],
    ])
    expect(changed.slice(4).map(([, slot]) => slot)).toEqual(all.slice(3))
    expect(resets).toEqual([])
  })

  test('is everything when the image turns out to be damaged, after that was said', async () => {
    const damage = new AgidbError('AGIDB_CORRUPT', 'damaged')
    expect(await handed({ load: () => Promise.reject(damage) })).toMatchObject({ visited: all, resets: [damage] })
    const late = await handed({
      change: () => {
        throw damage
      },
    })
    expect(late).toMatchObject({ visited: all, resets: [damage] })
  })
})
