import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckpointArray, CheckpointParts } from '../../../../src/base/checkpoint-parts.js'
import { Findings } from '../../../../src/api/findings.js'
import type { BlockFile } from '../../../../src/storage/block/block-file.js'
import { crc32c } from '../../../../src/base/crc32c.js'
import { Extents } from '../../../../src/storage/journal/extents.js'
import { CheckpointFile, type CheckpointBase } from '../../../../src/storage/checkpoint/checkpoint-file.js'
import type { CheckpointPart } from '../../../../src/api/storage.js'
import { checkCheckpoint } from '../../../../src/storage/recovery/check-checkpoint.js'
import { encodeSuperblock } from '../../../../src/storage/journal/superblock.js'
import { noise } from '../../../../src/storage/contract/episodes.js'
import { quick, runs } from '../../../runs.js'
import { MemoryFile } from '../memory-file.js'

const base = (lsn: number): CheckpointBase => ({
  databaseId: '00'.repeat(16),
  epoch: 0,
  lsn,
  at: 100 * lsn,
  anchorAt: 64,
  anchor: 7,
})
const part = (name: string, array: CheckpointArray, mark?: string) => ({
  name,
  array: () => array,
  mark,
})

/** An image with a number in it: parts of all types, one of them marked. */
function parts(number: number): (Omit<CheckpointPart, 'array'> & { readonly array: () => CheckpointArray })[] {
  return [
    part('a.u8', noise(number, 5000)),
    part('a.f64', Float64Array.of(number, 0.5, -Infinity)),
    part('a.i32', Int32Array.of(-number)),
    part(
      'b.u16',
      Uint16Array.from({ length: number % 7000 }, (_, i) => i),
    ),
    part('b.u32', new Uint32Array(0)),
    part('block', noise(1000 + Math.floor(number / 3), 20_000), `${Math.floor(number / 3)}`),
  ]
}

async function expectImage(file: BlockFile, number: number): Promise<void> {
  const image = await CheckpointFile.open(file)
  expect(image.base).toEqual(base(number))
  const wanted = parts(number).filter(({ mark }) => mark === undefined)
  const found = await image.parts('')
  expect(Array.from(found, ([name, array]) => [name, shown(array)])).toEqual(
    wanted.map(({ name, array }) => [name, shown(array())]),
  )
  expect(new Set((await image.parts('a.')).keys())).toEqual(new Set(['a.u8', 'a.f64', 'a.i32']))
  const bytes = new Uint8Array(image.marked('block')!.bytes)
  await image.fill('block', bytes, 0)
  expect(shown(bytes)).toBe(shown(parts(number)[5].array()))
}

/** The type and all bytes of an array, as one string: element by element, comparing takes a hundred times as long. */
function shown(array: CheckpointArray): string {
  return `${array.constructor.name} ${Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('base64')}`
}

/** The file after each change to it. */
class History extends MemoryFile {
  readonly states: Uint8Array[] = []

  override write(at: number, bytes: Uint8Array): void {
    // A crash may leave a part of what was being written.
    super.write(at, bytes.subarray(0, bytes.length >> 1))
    this.states.push(this.content())
    super.write(at, bytes)
    this.states.push(this.content())
  }
}

describe('a checkpoint file', () => {
  test('gives back the parts that were written last', async () => {
    const file = new MemoryFile()
    expect((await CheckpointFile.open(file)).base).toBeUndefined()
    for (const number of quick ? [1, 900] : [1, 2, 3, 900, 4]) {
      await (await CheckpointFile.open(file)).keep(base(number), parts(number))
      await expectImage(file, number)
    }
  })

  test('does not write a part again that has the same mark', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    await image.keep(base(1), [part('block', noise(1, 1 << 20), 'x')])
    const written = file.log.length
    const asked: number[] = []
    await image.keep(base(2), [
      {
        name: 'block',
        mark: 'x',
        array: () => {
          asked.push(1)
          return noise(2, 9)
        },
      },
    ])
    expect(asked).toEqual([])
    expect(file.log.length - written).toBeLessThan(6)
    expect(image.marked('block')).toEqual({ bytes: 1 << 20, mark: 'x' })
  })

  test('does not grow when checkpoints of one size follow each other', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    for (let i = 0; i < 4; i++) await image.keep(base(i), [part('part', noise(i, 100_000))])
    const size = file.size()
    for (let i = 0; i < 20; i++) await image.keep(base(i), [part('part', noise(i, 100_000))])
    expect(file.size()).toBeLessThan(size + 100_000)
  })

  test.skipIf(quick)(
    'after a crash at any write holds the image, or the one before',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 2, maxLength: 5 }),
          async (numbers) => {
            const file = new History()
            const image = await CheckpointFile.open(file)
            await image.keep(base(numbers[0]), parts(numbers[0]))
            for (let i = 1; i < numbers.length; i++) {
              file.states.length = 0
              await image.keep(base(numbers[i]), parts(numbers[i]))
              for (const state of file.states) {
                const after = new MemoryFile(state)
                const found = (await CheckpointFile.open(after)).base!.lsn
                expect([numbers[i - 1], numbers[i]]).toContain(found)
                await expectImage(after, found)
              }
            }
          },
        ),
        { numRuns: runs(10) },
      )
    },
    300_000,
  )

  test('reports a damaged part; after damage to a superblock the checkpoint before it counts', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    await image.keep(base(1), parts(1))
    await image.keep(base(2), parts(2))
    const bytes = file.content()
    const at = Buffer.from(bytes).indexOf(Buffer.from(noise(2, 5000)))
    bytes[at + 17] ^= 1
    await expect((await CheckpointFile.open(new MemoryFile(bytes))).parts('')).rejects.toMatchObject({
      code: 'AGIDB_CORRUPT',
    })
    const head = file.content()
    head[20] ^= 1
    await expectImage(new MemoryFile(head), 1)
    expect((await CheckpointFile.open(new MemoryFile(noise(5, 10_000)))).base).toBeUndefined()
  })

  test('keeps the checkpoint before one that cannot be written', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    await image.keep(base(1), parts(1))
    for (let calls = 0; calls < 60; calls += quick ? 5 : 1) {
      file.failAfter = calls
      file.failures = 1
      const failed = await image.keep(base(2), parts(2)).then(
        () => false,
        () => true,
      )
      file.failAfter = Infinity
      if (!failed) break
      expect([1, 2]).toContain((await CheckpointFile.open(file)).base?.lsn)
      await expectImage(file, (await CheckpointFile.open(file)).base!.lsn)
    }
    await image.keep(base(3), parts(3))
    await expectImage(file, 3)
  })
})

/** A file whose superblocks name directories that say these things, each with a right checksum. */
function forged(...directories: unknown[]): MemoryFile {
  const file = new MemoryFile(new Uint8Array(50_000))
  directories.forEach((directory, i) => {
    const bytes = new TextEncoder().encode(JSON.stringify(directory))
    const at = 8192 + i * 4096
    file.write(at, bytes)
    file.write(
      (i % 2) * 4096,
      encodeSuperblock({ generation: i + 1, directory: { at, bytes: bytes.length }, checksum: crc32c(bytes) }),
    )
  })
  return file
}

describe('a directory that another program wrote', () => {
  const entry = { name: 'a', type: 'u8', at: 20_480, bytes: 4, checksum: crc32c(new Uint8Array(4)) }

  test('is used if its entries are valid and its parts lie in the file', async () => {
    const image = await CheckpointFile.open(
      forged({ base: base(1), parts: [entry, { ...entry, checksum: undefined, mark: 'm', name: 'b' }] }),
    )
    expect(image.base).toEqual(base(1))
    expect(await image.parts('')).toEqual(new Map([['a', new Uint8Array(4)]]))
    expect([image.marked('a'), image.marked('b'), image.marked('c')]).toEqual([
      undefined,
      { bytes: 4, mark: 'm' },
      undefined,
    ])
    // As far as the file goes, and no further.
    expect((await CheckpointFile.open(forged({ base: base(1), parts: [{ ...entry, at: 49_996 }] }))).base).toBeDefined()
  })

  test.each<[string, unknown]>([
    ['no base', { parts: [] }],
    ['a base without an id', { base: { ...base(1), databaseId: 7 }, parts: [] }],
    ...(['epoch', 'lsn', 'at', 'anchorAt', 'anchor'] as const).flatMap((key): [string, unknown][] => [
      [`a base with a negative ${key}`, { base: { ...base(1), [key]: -1 }, parts: [] }],
      [`a base with half a ${key}`, { base: { ...base(1), [key]: 0.5 }, parts: [] }],
    ]),
    ['no parts', { base: base(1) }],
    ['parts that are none', { base: base(1), parts: {} }],
    ['a part without a name', { base: base(1), parts: [entry, { ...entry, name: 1 }] }],
    ['a part of no type', { base: base(1), parts: [{ ...entry, type: 'toString' }] }],
    ['a part before the file', { base: base(1), parts: [{ ...entry, at: -8 }] }],
    ['a part of less than nothing', { base: base(1), parts: [{ ...entry, bytes: -4 }] }],
    ['a part after the file', { base: base(1), parts: [{ ...entry, at: 49_997 }] }],
    ['a part without a checksum', { base: base(1), parts: [{ ...entry, checksum: undefined }] }],
    ['a mark that is none', { base: base(1), parts: [{ ...entry, mark: 3 }] }],
    ['nothing', null],
  ])('is passed over: %s', async (_, directory) => {
    expect((await CheckpointFile.open(forged(directory))).base).toBeUndefined()
    // The one before it counts.
    expect((await CheckpointFile.open(forged({ base: base(4), parts: [entry] }, directory))).base).toEqual(base(4))
  })
})

describe('the verification of a checkpoint file', () => {
  const digest = (bytes: Uint8Array): string => `${bytes.length} ${crc32c(bytes)}`
  const marked = (name: string, bytes: Uint8Array): CheckpointPart => part(name, bytes, digest(bytes))

  async function checked(file: MemoryFile, wanted?: CheckpointParts) {
    const findings = new Findings()
    await checkCheckpoint(await CheckpointFile.open(file), digest, findings, wanted)
    return {
      problems: findings.problems.map(({ code, harm, count, details }) => [
        code,
        harm,
        details?.part ?? details?.superblock,
        ...(count > 1 ? [count] : []),
      ]),
      checked: findings.checked,
    }
  }
  async function kept(...images: CheckpointPart[][]): Promise<MemoryFile> {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    for (const [i, parts] of images.entries()) await image.keep(base(i + 1), parts)
    return file
  }
  const damagedAt = (file: MemoryFile, at: number): MemoryFile =>
    new MemoryFile(file.content().with(at, file.content()[at] ^ 1))

  test('counts the parts of an intact file', async () => {
    expect(await checked(new MemoryFile())).toMatchObject({ problems: [], checked: { bytes: 0, parts: 0 } })
    for (const images of [1, 2, 3]) {
      const file = await kept(
        ...Array.from({ length: images }, () => [part('a', noise(1, 5000)), marked('b', noise(2, 5000))]),
      )
      expect(await checked(file)).toMatchObject({ problems: [], checked: { bytes: file.size(), parts: 2 } })
      expect(
        (
          await checked(
            file,
            new Map([
              ['a', noise(1, 5000)],
              ['c', noise(9, 9)],
            ]),
          )
        ).problems,
      ).toEqual([])
    }
  })

  test('names each damaged part', async () => {
    const file = await kept(
      [part('a', noise(1, 5000)), marked('b', noise(2, 5000))],
      [part('a', noise(1, 5000)), marked('b', noise(2, 5000))],
    )
    const at = (seed: number): number => Buffer.from(file.content()).lastIndexOf(Buffer.from(noise(seed, 5000)))
    expect((await checked(damagedAt(file, at(1) + 4999))).problems).toEqual([['image-damaged', 'none', 'a']])
    expect((await checked(damagedAt(file, at(2)))).problems).toEqual([['image-damaged', 'none', 'b']])
    // The third image is in superblock 1 again; the older one is 0.
    expect((await checked(damagedAt(file, 4096 + 20))).problems).toEqual([['image-superblock', 'none', 1]])
    expect((await checked(damagedAt(file, 20))).problems).toMatchObject([['image-superblock', 'none', 0]])
    expect((await checked(new MemoryFile(noise(3, 9000)))).problems).toEqual([['image-damaged', 'none', undefined]])
    expect((await checked(new MemoryFile(noise(3, 1)))).problems).toEqual([['image-damaged', 'none', undefined]])
  })

  test('names a part that does not fit the journal', async () => {
    const file = await kept([part('a', Uint32Array.of(1, 2)), part('b', Float64Array.of(3))])
    expect(
      (
        await checked(
          file,
          new Map<string, CheckpointArray>([
            ['a', Uint32Array.of(1, 2)],
            ['b', Float64Array.of(4)],
          ]),
        )
      ).problems,
    ).toEqual([['image-damaged', 'none', 'b']])
    expect((await checked(file, new Map([['a', Uint32Array.of(1)]]))).problems).toEqual([
      ['image-damaged', 'none', 'a'],
    ])
    expect((await checked(file, new Map([['a', Uint32Array.of(1, 2, 3)]]))).problems).toEqual([
      ['image-damaged', 'none', 'a'],
    ])
    expect((await checked(file, new Map([['a', Uint32Array.of(1, 2, 3).subarray(0, 2)]]))).problems).toEqual([])
  })

  test('names parts that overlap', async () => {
    const entry = { type: 'u8', bytes: 4, checksum: crc32c(new Uint8Array(4)) }
    const found = async (...ats: number[]): Promise<unknown> =>
      (await checked(forged({ base: base(1), parts: ats.map((at, i) => ({ ...entry, name: `p${i}`, at })) }))).problems
    expect(await found(20_480, 20_484, 30_000)).toEqual([])
    expect(await found(30_000, 20_484, 20_480, 20_481)).toEqual([['image-damaged', 'none', 'p3', 2]])
    // Over the superblocks, of which the second is empty here.
    expect(await found(8000)).toEqual([['image-damaged', 'none', 'p0']])
  })
})

describe('the parts of a checkpoint', () => {
  test('are none without a checkpoint, and nothing is filled', async () => {
    const image = await CheckpointFile.open(new MemoryFile())
    expect([await image.parts(''), image.marked('a'), image.base, await image.size()]).toEqual([
      new Map(),
      undefined,
      undefined,
      0,
    ])
    await expect(image.fill('a', new Uint8Array(1), 0)).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
  })

  test('are read piece by piece, up to their end', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    await image.keep(base(1), [part('a', noise(1, 100), 'a'), part('b', noise(2, 3 << 20), 'b')])
    for (const [name, seed, from, length] of [
      ['a', 1, 0, 100],
      ['a', 1, 40, 60],
      ['b', 2, 1 << 20, 2 << 20],
      ['b', 2, (3 << 20) - 1, 1],
    ] as const) {
      const into = new Uint8Array(length)
      await image.fill(name, into, from)
      expect(Buffer.compare(into, noise(seed, from + length).subarray(from))).toBe(0)
    }
    await expect(image.fill('a', new Uint8Array(61), 40)).rejects.toMatchObject({
      code: 'AGIDB_CORRUPT',
      details: { part: 'a' },
    })
    await expect(image.fill('c', new Uint8Array(1), 0)).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    file.truncate(12_288 + (3 << 20) - 1)
    await expect(image.fill('b', new Uint8Array(2), (3 << 20) - 2)).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
  })

  test('are overwritten when they are cleared, and the next checkpoint is written whole', async () => {
    const file = new MemoryFile()
    const image = await CheckpointFile.open(file)
    await image.keep(base(1), [part('a', noise(1, 100), 'a')])
    await image.clear()
    expect([file.size(), image.base, image.marked('a'), await image.parts('')]).toEqual([
      0,
      undefined,
      undefined,
      new Map(),
    ])
    // What had the same mark is gone, too.
    await image.keep(base(2), [part('a', noise(1, 100), 'a')])
    const into = new Uint8Array(100)
    await (await CheckpointFile.open(file)).fill('a', into, 0)
    expect(into).toEqual(noise(1, 100))
  })
})

test('Extents are allocated without overlap.', () => {
  const extent = fc.record({ page: fc.integer({ min: 0, max: 40 }), bytes: fc.integer({ min: 1, max: 9000 }) })
  fc.assert(
    fc.property(
      fc.array(extent, { maxLength: 8 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }),
      (used, wanted) => {
        const taken = used.map(({ page, bytes }) => ({ at: 8192 + 4096 * page, bytes }))
        const extents = new Extents(8192, taken)
        const given: { at: number; bytes: number }[] = []
        for (const bytes of wanted) {
          const at = extents.take(bytes)
          expect(at % 4096).toBe(0)
          expect(at).toBeGreaterThanOrEqual(8192)
          for (const other of [...taken, ...given])
            expect(at >= other.at + other.bytes || at + bytes <= other.at).toBe(true)
          given.push({ at, bytes })
        }
      },
    ),
  )
})
