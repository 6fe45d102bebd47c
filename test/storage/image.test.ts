import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlockFile } from '../../src/storage/block-file.js'
import { Extents } from '../../src/storage/extents.js'
import { ImageFile, type ImageBase } from '../../src/storage/image-file.js'
import type { ImagePart } from '../../src/storage/port.js'
import { noise } from '../contract/episodes.js'
import { quick, runs } from '../runs.js'
import { MemoryFile } from './memory-file.js'

const base = (lsn: number): ImageBase => ({ databaseId: '00'.repeat(16), epoch: 0, lsn, at: 100 * lsn, anchorAt: 64, anchor: 7 })
const part = (name: string, array: ReturnType<ImagePart['array']>, mark?: string): ImagePart => ({ name, array: () => array, mark })

/** An image with a number in it: parts of all types, one of them marked. */
function parts(number: number): ImagePart[] {
  return [
    part('a.u8', noise(number, 5000)),
    part('a.f64', Float64Array.of(number, 0.5, -Infinity)),
    part('a.i32', Int32Array.of(-number)),
    part('b.u16', Uint16Array.from({ length: number % 7000 }, (_, i) => i)),
    part('b.u32', new Uint32Array(0)),
    part('block', noise(1000 + Math.floor(number / 3), 20_000), `${Math.floor(number / 3)}`),
  ]
}

async function expectImage(file: BlockFile, number: number): Promise<void> {
  const image = await ImageFile.open(file)
  expect(image.base).toEqual(base(number))
  const wanted = parts(number).filter(({ mark }) => mark === undefined)
  const found = await image.parts('')
  expect(Array.from(found, ([name, array]) => [name, shown(array)])).toEqual(wanted.map(({ name, array }) => [name, shown(array())]))
  expect(new Set((await image.parts('a.')).keys())).toEqual(new Set(['a.u8', 'a.f64', 'a.i32']))
  const bytes = new Uint8Array(image.marked('block')!.bytes)
  await image.fill('block', bytes, 0)
  expect(shown(bytes)).toBe(shown(parts(number)[5].array()))
}

/** The type and all bytes of an array, as one string: element by element, comparing takes a hundred times as long. */
function shown(array: ReturnType<ImagePart['array']>): string {
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

describe('an image file', () => {
  test('gives back what was kept last', async () => {
    const file = new MemoryFile()
    expect((await ImageFile.open(file)).base).toBeUndefined()
    for (const number of quick ? [1, 900] : [1, 2, 3, 900, 4]) {
      await (await ImageFile.open(file)).keep(base(number), parts(number))
      await expectImage(file, number)
    }
  })

  test('does not write again what has the same mark', async () => {
    const file = new MemoryFile()
    const image = await ImageFile.open(file)
    await image.keep(base(1), [part('block', noise(1, 1 << 20), 'x')])
    const written = file.log.length
    const asked: number[] = []
    await image.keep(base(2), [{ name: 'block', mark: 'x', array: () => { asked.push(1); return noise(2, 9) } }])
    expect(asked).toEqual([])
    expect(file.log.length - written).toBeLessThan(6)
    expect(image.marked('block')).toEqual({ bytes: 1 << 20, mark: 'x' })
  })

  test('its file does not grow when images of one size follow each other', async () => {
    const file = new MemoryFile()
    const image = await ImageFile.open(file)
    for (let i = 0; i < 4; i++) await image.keep(base(i), [part('part', noise(i, 100_000))])
    const size = file.size()
    for (let i = 0; i < 20; i++) await image.keep(base(i), [part('part', noise(i, 100_000))])
    expect(file.size()).toBeLessThan(size + 100_000)
  })

  test.skipIf(quick)('after a crash at any write holds the image, or the one before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 2, maxLength: 5 }), async (numbers) => {
        const file = new History()
        const image = await ImageFile.open(file)
        await image.keep(base(numbers[0]), parts(numbers[0]))
        for (let i = 1; i < numbers.length; i++) {
          file.states.length = 0
          await image.keep(base(numbers[i]), parts(numbers[i]))
          for (const state of file.states) {
            const after = new MemoryFile(state)
            const found = (await ImageFile.open(after)).base!.lsn
            expect([numbers[i - 1], numbers[i]]).toContain(found)
            await expectImage(after, found)
          }
        }
      }),
      { numRuns: runs(10) },
    )
  }, 300_000)

  test('a damaged part is noticed, and a damaged superblock leaves the image before', async () => {
    const file = new MemoryFile()
    const image = await ImageFile.open(file)
    await image.keep(base(1), parts(1))
    await image.keep(base(2), parts(2))
    const bytes = file.content()
    const at = Buffer.from(bytes).indexOf(Buffer.from(noise(2, 5000)))
    bytes[at + 17] ^= 1
    await expect((await ImageFile.open(new MemoryFile(bytes))).parts('')).rejects.toMatchObject({ code: 'AGIDB_CORRUPT' })
    const head = file.content()
    head[20] ^= 1
    await expectImage(new MemoryFile(head), 1)
    expect((await ImageFile.open(new MemoryFile(noise(5, 10_000)))).base).toBeUndefined()
  })

  test('what cannot be written leaves the image before', async () => {
    const file = new MemoryFile()
    const image = await ImageFile.open(file)
    await image.keep(base(1), parts(1))
    for (let calls = 0; calls < 60; calls += quick ? 5 : 1) {
      file.failAfter = calls
      file.failures = 1
      const failed = await image.keep(base(2), parts(2)).then(() => false, () => true)
      file.failAfter = Infinity
      if (!failed) break
      expect([1, 2]).toContain((await ImageFile.open(file)).base?.lsn)
      await expectImage(file, (await ImageFile.open(file)).base!.lsn)
    }
    await image.keep(base(3), parts(3))
    await expectImage(file, 3)
  })
})

test('extents are given out without overlap', () => {
  const extent = fc.record({ page: fc.integer({ min: 0, max: 40 }), bytes: fc.integer({ min: 1, max: 9000 }) })
  fc.assert(
    fc.property(fc.array(extent, { maxLength: 8 }), fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }), (used, wanted) => {
      const taken = used.map(({ page, bytes }) => ({ at: 8192 + 4096 * page, bytes }))
      const extents = new Extents(8192, taken)
      const given: { at: number; bytes: number }[] = []
      for (const bytes of wanted) {
        const at = extents.take(bytes)
        expect(at % 4096).toBe(0)
        expect(at).toBeGreaterThanOrEqual(8192)
        for (const other of [...taken, ...given]) expect(at >= other.at + other.bytes || at + bytes <= other.at).toBe(true)
        given.push({ at, bytes })
      }
    }),
  )
})
