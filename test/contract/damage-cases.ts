import { listed, modelOf, openInto, put, puts } from '../../src/storage/contract/episodes.js'
import { assert, assertEqual, assertRefused } from '../../src/storage/contract/assert.js'
import type { ErrorCode } from '../../src/base/errors.js'
import type { PlaceCase, PlaceContext } from './case.js'

const HEADER_BYTES = 64

/** Bytes of a frame before its body. */
const FRAME_HEADER_BYTES = 32

/**
 * A closed database of three commits, and where each ends; after the last one stands the mark that says that they were
 * flushed.
 */
async function threeCommits({ storage, journal }: PlaceContext): Promise<{ bytes: Uint8Array; ends: number[] }> {
  const store = storage()
  await store.open(() => undefined)
  for (let commit = 0; commit < 3; commit++) await store.commit(puts(commit * 2, 2, 30))
  await store.close()
  const bytes = await journal!.read()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const ends: number[] = []
  for (let at = HEADER_BYTES; ends.length < 3; ends.push(at)) at += FRAME_HEADER_BYTES + view.getUint32(at + 8, true)
  return { bytes, ends }
}

/** A damage that is refused, with the journal left as it is; a mirror that has everything makes a corrupt one good. */
function damaged(
  name: string,
  code: ErrorCode,
  damage: (bytes: Uint8Array, ends: readonly number[]) => Uint8Array,
  offsetOf?: (ends: readonly number[]) => number,
): PlaceCase {
  return {
    name: `${name} is refused and left as it is, or mended from a second copy`,
    needs: 'journal',
    async run(context) {
      const { bytes, ends } = await threeCommits(context)
      const journal = context.journal!
      const bad = damage(bytes, ends)
      await journal.write(bad)
      const offset = offsetOf?.(ends)
      const store = context.storage()
      if (context.mirrored && code === 'AGIDB_CORRUPT') {
        assertEqual(
          listed((await openInto(store)).kept),
          listed(modelOf(puts(0, 6, 30))),
          'episodes of the second copy',
        )
        const [{ kind, details }] = (await store.stats()).opening
        assertEqual([kind, details?.reason], ['journal-rebuilt', 'damaged'], 'what opening reports')
        if (offset !== undefined) assertEqual(details?.offset, offset, 'the offset that the report names')
        await store.commit([put(6, 30)])
        await store.close()
        assertEqual(await journal.read(), bad, 'the damaged journal, which is kept')
        const again = context.storage()
        assertEqual((await openInto(again)).kept.size, 7, 'episodes when opened again')
        assertEqual((await again.stats()).opening, [], 'what opening again reports')
        return again.close()
      }
      const error = await assertRefused(code, () => store.open(() => undefined))
      if (offset !== undefined) assertEqual(error.details.offset, offset, 'the offset that the error names')
      assertEqual(await journal.read(), bad, 'the journal after the refusal')
      await journal.write(bytes)
      const whole = context.storage()
      assertEqual(
        listed((await openInto(whole)).kept),
        listed(modelOf(puts(0, 6, 30))),
        'episodes once the journal is whole again',
      )
      await whole.close()
    },
  }
}

function changed(bytes: Uint8Array, at: number, to: number): Uint8Array {
  const copy = bytes.slice()
  copy[at] = to
  return copy
}

function flipped(bytes: Uint8Array, at: number, bit = 0): Uint8Array {
  return changed(bytes, at, bytes[at] ^ (1 << bit))
}

export const damageCases: PlaceCase[] = [
  {
    name: 'a commit that was cut short is cut off and reported; what was before it stays',
    needs: 'journal',
    async run(context) {
      const { bytes, ends } = await threeCommits(context)
      const before = listed(modelOf(puts(0, 4, 30)))
      const whole = listed(modelOf(puts(0, 6, 30)))
      for (const cut of [1, 20, 33, ends[2] - ends[1] - 1]) {
        await context.journal!.write(bytes.subarray(0, ends[1] + cut))
        const store = context.storage()
        const { kept } = await openInto(store)
        const { opening } = await store.stats()
        const torn = opening.find(({ kind }) => kind === 'torn-tail')
        assertEqual([torn?.details?.offset, torn?.details?.bytes], [ends[1], cut], 'offset and bytes of the torn tail')
        // A mirror brings the commit back; then that is reported too.
        const expected = context.mirrored && opening.some(({ kind }) => kind === 'journal-extended') ? whole : before
        assertEqual(listed(kept), expected, `episodes after ${cut} bytes of the last commit`)
        if (!context.mirrored) await store.commit([put(10)])
        await store.close()
        const again = context.storage()
        const reopened = await openInto(again)
        assertEqual(reopened.kept.size, kept.size + (context.mirrored ? 0 : 1), 'episodes when opened again')
        assertEqual((await again.stats()).opening, [], 'what opening again reports')
        await again.close()
      }
    },
  },
  {
    name: 'a flipped bit in the last commit before a crash: its bytes are kept, and a second copy brings it back',
    needs: 'journal',
    async run(context) {
      const { bytes, ends } = await threeCommits(context)
      await context.journal!.write(flipped(bytes.subarray(0, ends[2]), ends[2] - 1))
      const store = context.storage()
      const { kept } = await openInto(store)
      const { opening } = await store.stats()
      const { found, offset, bytes: cut, kept: where } = opening[0].details!
      assertEqual([found, offset, cut], ['checksum-mismatch', ends[1], ends[2] - ends[1]], 'what was found')
      assert(typeof where === 'string' && where.length > 0, 'where the bytes are kept')
      const kinds = context.mirrored ? ['torn-tail', 'journal-extended'] : ['torn-tail']
      assertEqual(
        opening.map(({ kind }) => kind),
        kinds,
        'what opening reports',
      )
      assertEqual(listed(kept), listed(modelOf(puts(0, context.mirrored ? 6 : 4, 30))), 'episodes')
      await store.close()
    },
  },
  {
    name: 'zeros after the last commit are a torn tail',
    needs: 'journal',
    async run(context) {
      const { bytes } = await threeCommits(context)
      const longer = new Uint8Array(bytes.length + 5000)
      longer.set(bytes)
      await context.journal!.write(longer)
      const store = context.storage()
      assertEqual(listed((await openInto(store)).kept), listed(modelOf(puts(0, 6, 30))), 'episodes')
      const { opening } = await store.stats()
      assertEqual(
        opening.map(({ kind }) => kind),
        ['torn-tail'],
        'what opening reports',
      )
      await store.close()
      assertEqual(await context.journal!.read(), bytes, 'the journal')
    },
  },
  damaged(
    'a flipped bit in the row of an earlier commit',
    'AGIDB_CORRUPT',
    (bytes, ends) => flipped(bytes, ends[0] + 200),
    (ends) => ends[0],
  ),
  damaged(
    'a flipped bit where a commit begins',
    'AGIDB_CORRUPT',
    (bytes, ends) => flipped(bytes, ends[0]),
    (ends) => ends[0],
  ),
  damaged(
    'a wrong length of a commit',
    'AGIDB_CORRUPT',
    (bytes, ends) => flipped(bytes, ends[0] + 10, 6),
    (ends) => ends[0],
  ),
  damaged(
    'a flipped bit in the first commit',
    'AGIDB_CORRUPT',
    (bytes) => flipped(bytes, HEADER_BYTES + 5, 3),
    () => HEADER_BYTES,
  ),
  damaged(
    'a commit missing in the middle',
    'AGIDB_CORRUPT',
    (bytes, ends) => new Uint8Array([...bytes.subarray(0, ends[0]), ...bytes.subarray(ends[1])]),
    (ends) => ends[0],
  ),
  damaged(
    'a flipped bit in the last commit before a close in good order',
    'AGIDB_CORRUPT',
    (bytes, ends) => flipped(bytes, ends[2] - 1),
    (ends) => ends[1],
  ),
  damaged('a newer format', 'AGIDB_NEWER_FORMAT', (bytes) => changed(bytes, 8, 6)),
  damaged(
    'a format that never was',
    'AGIDB_CORRUPT',
    (bytes) => changed(bytes, 8, 0),
    () => 0,
  ),
  damaged('a file of another kind', 'AGIDB_FOREIGN_FILE', (bytes) => changed(bytes, 0, 0x20)),
  damaged('a short file of another kind', 'AGIDB_FOREIGN_FILE', () => new TextEncoder().encode('PK')),
  damaged(
    'a flipped bit in the id of the database',
    'AGIDB_CORRUPT',
    (bytes) => flipped(bytes, 20),
    () => 0,
  ),
  damaged(
    'a wrong checksum of the header',
    'AGIDB_CORRUPT',
    (bytes) => flipped(bytes, 62),
    () => 0,
  ),
  {
    name: 'a creation that was cut short is made up for',
    needs: 'journal',
    async run(context) {
      const first = context.storage()
      await first.open(() => undefined)
      await first.close()
      const header = await context.journal!.read()
      assertEqual(header.length, HEADER_BYTES, 'length of a new journal')
      for (const length of [0, 1, 8, 11, 20, HEADER_BYTES - 1]) {
        await context.journal!.write(header.subarray(0, length))
        const store = context.storage()
        await store.open(() => undefined)
        const { opening } = await store.stats()
        assert(opening.length > 0, 'it is reported')
        await store.commit([put(0)])
        await store.close()
        const again = context.storage()
        assertEqual((await openInto(again)).kept.size, 1, 'episodes')
        await again.commit([{ op: 'remove', slot: 0, id: 'ep_0' }])
        await again.close()
      }
    },
  },
]
