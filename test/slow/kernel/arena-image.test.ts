import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Arena, type ArenaImage, type Kernel, NO_SLOT, type Query } from '../../../src/kernel/port.js'
import { kernels, reference, wasm } from '../../unit/kernel/kernels.js'

const HELD = 33_300
const signatures = Array.from({ length: 100 }, (_, i) => reference.fromName(`kept ${i}`))
const sums = reference.superpose(['kept 5', 'kept 6', 'x'], Int32Array.of(5, -3, 1))
const queries: Query[] = [reference.query(signatures[7]), reference.quantise(sums)]
const slots = Uint32Array.from({ length: 900 }, (_, i) => i * 41)

function filled(arena: Arena, held: number): Arena {
  const rows = new Uint8Array(held * 1024)
  for (let place = 0; place < held; place++) rows.set(signatures[(place * 31) % signatures.length], place * 1024)
  arena.setMany(
    Uint32Array.from({ length: held }, (_, place) => slotAt(place, held)),
    rows,
  )
  return arena
}

const slotAt = (place: number, held: number) => (held === 0 ? place : (place * 7919) % held)

const at = (bytes: Uint8Array) => () => bytes

/** As a storage would do it: bytes are copied out, and later in. */
function kept(image: ArenaImage) {
  return { ...image, blocks: image.blocks.map(({ stamp, bytes }) => ({ stamp, bytes: at(bytes().slice()) })) }
}

function restored(kernel: Kernel, { blocks, ...image }: ArenaImage, rows = 0): Arena {
  const arena = kernel.arena({ rows })
  arena.restore({ ...image, blocks: blocks.length })
  for (const { block } of arena.awaited()) arrive(arena, block, blocks[block].bytes())
  return arena
}

/** Brings a block, in pieces. */
function arrive(arena: Arena, block: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 1 << 20) arena.give(block, bytes.subarray(at, at + (1 << 20)))
  arena.admit(block)
}

function expectAlike(a: Arena, b: Arena): void {
  expect(a.size).toBe(b.size)
  for (const query of queries) {
    expect(a.scan(query, 50)).toEqual(b.scan(query, 50))
    expect(a.score(query, slots)).toEqual(b.score(query, slots))
  }
  expect(a.scanMany(queries, 9, new Uint32Array(600).fill(0x0f00ff07))).toEqual(
    b.scanMany(queries, 9, new Uint32Array(600).fill(0x0f00ff07)),
  )
  for (let slot = 0; slot < HELD; slot += 1999) expect(a.get(slot)).toEqual(b.get(slot))
}

const step = (held: number) =>
  fc.oneof(
    fc.record({ place: fc.nat(held + 600), kind: fc.nat(signatures.length - 1) }),
    fc.record({ place: fc.nat(held), kind: fc.constant(undefined) }),
  )
type Step = { place: number; kind: number | undefined }

function change(arena: Arena, held: number, steps: readonly Step[]): void {
  for (const { place, kind } of steps) {
    if (kind === undefined) arena.clear(slotAt(place, held))
    else arena.set(place < held ? slotAt(place, held) : place, signatures[kind])
    // Now and then, as between other work.
    if (place % 3 === 0) arena.makeRows()
  }
}

describe.each(kernels)('images, %s kernel', (_, kernel) => {
  // Rows alone; a block that grows, with columns that are about to move (24 lines); a full one.
  const some = kernel === wasm ? [0, 300, 7000, 12_288, HELD] : [0, 300]

  test.each(
    some,
  )('an arena of %i that was restored is what it was, and becomes what it would have become', async (held) => {
    const history = fc.array(step(held), { maxLength: 80, size: 'max' })
    const original = filled(kernel.arena(), held)
    await fc.assert(
      fc.asyncProperty(history, history, fc.constantFrom(0, HELD), async (before, after, rows) => {
        change(original, held, before)
        const image = kept(original.image())
        const arena = restored(kernel, image, rows)
        expectAlike(arena, original)
        // Nothing else would be kept of it.
        const again = kept(arena.image())
        expect(again.slots).toEqual(image.slots)
        expect(Buffer.compare(again.rows, image.rows)).toBe(0)
        again.blocks.forEach(({ bytes }, block) => expect(Buffer.compare(bytes(), image.blocks[block].bytes())).toBe(0))
        for (const one of [arena, original]) change(one, held, after)
        expectAlike(arena, original)
        while (arena.makeRows());
        expectAlike(arena, original)
        arena.free()
      }),
      { numRuns: 4 },
    )
    original.free()
  })

  test('changes made before a block arrives survive its arrival; scans skip blocks that have not arrived', async () => {
    const held = kernel === wasm ? HELD : 2500
    const original = filled(kernel.arena(), held)
    const history = fc.array(step(held), { maxLength: 60, size: 'max' })
    await fc.assert(
      fc.asyncProperty(history, fc.array(history, { minLength: 3, maxLength: 3 }), async (before, during) => {
        change(original, held, before)
        const image = kept(original.image())
        const arena = kernel.arena()
        arena.restore({ ...image, blocks: image.blocks.length })
        const late = arena
          .awaited()
          .map(({ block }) => block)
          .reverse()
        for (const [i, steps] of during.entries()) {
          for (const one of [arena, original]) change(one, held, steps)
          // A model without what is awaited.
          const there = new Uint32Array(Math.ceil((held + 700) / 32))
          for (let slot = 0; slot < held + 700; slot++)
            if (original.has(slot) && arena.awaits(slot) === undefined) there[slot >> 5] |= 1 << (slot & 31)
          for (const query of queries) expect(arena.scan(query, 50)).toEqual(original.scan(query, 50, there))
          expect(arena.size).toBe(original.size)
          const block = late[i]
          if (block !== undefined && arena.awaited().some((awaited) => awaited.block === block))
            arrive(arena, block, image.blocks[block].bytes())
        }
        for (const { block } of arena.awaited()) arrive(arena, block, image.blocks[block].bytes())
        expectAlike(arena, original)
        arena.free()
      }),
      { numRuns: 4 },
    )
    original.free()
  })

  test('a block all of whose signatures came anew is awaited no more', () => {
    const held = kernel === wasm ? HELD : 1100
    const original = filled(kernel.arena(), held)
    const image = kept(original.image())
    const arena = kernel.arena()
    arena.restore({ ...image, blocks: image.blocks.length })
    for (const slot of arena.awaitedSlots(0)) arena.set(slot, original.get(slot)!)
    expect(arena.awaited()).toEqual([])
    expectAlike(arena, original)
    for (const one of [arena, original]) one.free()
  })

  test('what was cleared is in no image', async () => {
    const held = kernel === wasm ? HELD : 100
    const arena = kernel.arena()
    for (let slot = 0; slot < held; slot++) arena.set(slot, new Uint8Array(1024))
    for (const slot of [7, 40, held - 1]) arena.set(slot, signatures[3])
    for (const slot of [7, 40, held - 1]) arena.clear(slot)
    const { blocks, rows, slots } = arena.image()
    for (const bytes of [rows, ...blocks.map(({ bytes }) => bytes())])
      expect(bytes.every((byte) => byte === 0)).toBe(true)
    expect([...slots].filter((slot) => slot !== NO_SLOT).sort((a, b) => a - b)).toEqual(
      [...Array(held).keys()].filter((slot) => arena.has(slot)),
    )
    arena.free()
  })

  test('an image of another layout, of other lengths, or with a slot twice is refused', () => {
    const image = { ...filled(kernel.arena(), 3).image(), blocks: 0 }
    const refused = (wrong: Partial<typeof image>, what: string, arena = kernel.arena()) => {
      const restoring = () => arena.restore({ ...image, ...wrong })
      expect(restoring).toThrow(what)
      expect(restoring).toThrow(expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' }))
    }
    for (const [, other] of kernels)
      if (other !== kernel) refused({ layout: other.arena().image().layout }, 'image.layout')
    refused({ layout: 'rows 0' }, 'image.layout')
    refused({ slots: Uint32Array.of(1, 2) }, 'image.rows')
    refused({ rows: new Uint8Array(3) }, 'image.rows')
    refused({ blocks: 1 }, 'image.blocks')
    refused({ blocks: -1 }, 'image.blocks')
    refused({ slots: Uint32Array.of(1, 2, 3, 4) }, 'image.blocks')
    refused({ slots: Uint32Array.of(5, 6, 5) }, 'image.slots')
    refused({ slots: Uint32Array.of(5, 6, NO_SLOT) }, 'image.slots')
    refused({}, 'empty', filled(kernel.arena(), 1))
  })
})

describe('blocks of columns', () => {
  test('their stamp changes with their content and with nothing else', () => {
    const arena = filled(wasm.arena(), HELD)
    const stamp = () => arena.image().blocks.map(({ stamp }) => stamp)[0]
    const [first] = arena.image().slots
    const seen = [stamp()]
    const changes = [() => arena.set(first, signatures[1]), () => arena.clear(first)]
    for (const make of changes) {
      make()
      seen.push(stamp())
    }
    expect(new Set(seen).size).toBe(3)
    arena.set(HELD + 5, signatures[0])
    arena.clear(first)
    arena.scan(queries[0], 5)
    expect(stamp()).toBe(seen[2])
    arena.free()
  })

  test('a block is awaited until all of it was given, and takes no more than that', () => {
    const image = kept(filled(wasm.arena(), HELD).image())
    const arena = wasm.arena()
    arena.restore({ ...image, blocks: 1 })
    const bytes = image.blocks[0].bytes()
    expect(arena.awaited()).toEqual([{ block: 0, signatures: 32_768 }])
    expect(arena.size).toBe(HELD)
    const refused = expect.objectContaining({ code: 'AGIDB_INVALID_ARGUMENT' })
    expect(() => arena.image()).toThrow(refused)
    arena.give(0, bytes.subarray(0, bytes.length - 64))
    expect(() => arena.admit(0)).toThrow(refused)
    expect(() => arena.give(0, bytes.subarray(0, 128))).toThrow(refused)
    expect(() => arena.give(1, bytes.subarray(0, 64))).toThrow(refused)
    arena.free()
  })
})

describe('digest', () => {
  test('both kernels say what XXH64 says', () => {
    for (const [, kernel] of kernels) {
      expect(kernel.digest(new Uint8Array(0))).toBe('ef46db3751d8e999')
      expect(kernel.digest(new TextEncoder().encode('abc'))).toBe('44bc2cf5ad770999')
    }
  })

  test('both kernels agree on any bytes, wherever they stand', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 100 }),
      fc.nat(1 << 20).map((length) => new Uint8Array(length).map((_, i) => (i * i) >> 3)),
    )
    fc.assert(
      fc.property(bytes, fc.nat(9), (all, from) => {
        expect(wasm.digest(all.subarray(from))).toBe(reference.digest(all.subarray(from)))
      }),
      { numRuns: 40 },
    )
  })

  test('a block has one digest where it lies and where it was copied to', () => {
    const arena = filled(wasm.arena(), HELD)
    const copy = arena.image().blocks[0].bytes().slice()
    const digest = wasm.digest(arena.image().blocks[0].bytes())
    expect(digest).toBe(wasm.digest(copy))
    copy[12_345] ^= 1
    expect(wasm.digest(copy)).not.toBe(digest)
    arena.free()
  })
})
