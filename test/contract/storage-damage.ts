import { listed, modelOf, openInto, put, puts } from './episodes.js'
import { assert, assertEqual, assertRefused } from './expect.js'
import type { ErrorCode } from '../../src/core/errors.js'
import type { StorageCase, StorageContext } from './case.js'

const HEADER_BYTES = 64

/** A closed database of three commits, and the length of its journal after each. */
async function threeCommits({ storage, journal }: StorageContext): Promise<{ bytes: Uint8Array; ends: number[] }> {
  const ends: number[] = []
  for (let commit = 0; commit < 3; commit++) {
    const store = storage()
    await store.open(() => undefined)
    await store.commit(puts(commit * 2, 2, 30))
    await store.close()
    ends.push((await journal!.read()).length)
  }
  return { bytes: await journal!.read(), ends }
}

async function refusedUnchanged(context: StorageContext, bytes: Uint8Array, code: ErrorCode, offset?: number): Promise<void> {
  const journal = context.journal!
  const intact = await journal.read()
  await journal.write(bytes)
  const error = await assertRefused(code, () => context.storage().open(() => undefined))
  if (offset !== undefined) assertEqual(error.details.offset, offset, 'the offset that the error names')
  assertEqual(await journal.read(), bytes, 'the journal after the refusal')
  await journal.write(intact)
  const store = context.storage()
  assertEqual(listed((await openInto(store)).kept), listed(modelOf(puts(0, 6, 30))), 'episodes once the journal is whole again')
  await store.close()
}

function changed(bytes: Uint8Array, at: number, to: number): Uint8Array {
  const copy = bytes.slice()
  copy[at] = to
  return copy
}

function flipped(bytes: Uint8Array, at: number, bit = 0): Uint8Array {
  return changed(bytes, at, bytes[at] ^ (1 << bit))
}

export const damageCases: StorageCase[] = [
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
        const expected = context.mirrored && opening.some(({ kind }) => kind === 'journal-rebuilt') ? whole : before
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
    name: 'zeros after the last commit are a torn tail',
    needs: 'journal',
    async run(context) {
      const { bytes, ends } = await threeCommits(context)
      const longer = new Uint8Array(ends[2] + 5000)
      longer.set(bytes)
      await context.journal!.write(longer)
      const store = context.storage()
      assertEqual(listed((await openInto(store)).kept), listed(modelOf(puts(0, 6, 30))), 'episodes')
      const { opening } = await store.stats()
      assertEqual(opening.map(({ kind }) => kind), ['torn-tail'], 'what opening reports')
      await store.close()
      assertEqual(await context.journal!.read(), bytes, 'the journal')
    },
  },
  {
    name: 'damage in the middle is refused and left as it is',
    needs: 'journal',
    async run(context) {
      const { bytes, ends } = await threeCommits(context)
      await refusedUnchanged(context, flipped(bytes, ends[0] + 200), 'AGIDB_CORRUPT', ends[0])
      await refusedUnchanged(context, flipped(bytes, ends[0]), 'AGIDB_CORRUPT', ends[0])
      await refusedUnchanged(context, flipped(bytes, ends[0] + 10, 6), 'AGIDB_CORRUPT', ends[0])
      await refusedUnchanged(context, flipped(bytes, HEADER_BYTES + 5, 3), 'AGIDB_CORRUPT', HEADER_BYTES)
      const without = new Uint8Array([...bytes.subarray(0, ends[0]), ...bytes.subarray(ends[1])])
      await refusedUnchanged(context, without, 'AGIDB_CORRUPT', ends[0])
    },
  },
  {
    name: 'a newer format, a foreign file and a damaged header are refused and left as they are',
    needs: 'journal',
    async run(context) {
      const { bytes } = await threeCommits(context)
      await refusedUnchanged(context, changed(bytes, 8, 2), 'AGIDB_NEWER_FORMAT')
      await refusedUnchanged(context, changed(bytes, 8, 0), 'AGIDB_CORRUPT', 0)
      await refusedUnchanged(context, changed(bytes, 0, 0x20), 'AGIDB_FOREIGN_FILE')
      await refusedUnchanged(context, new TextEncoder().encode('PK'), 'AGIDB_FOREIGN_FILE')
      await refusedUnchanged(context, flipped(bytes, 20), 'AGIDB_CORRUPT', 0)
      await refusedUnchanged(context, flipped(bytes, 62), 'AGIDB_CORRUPT', 0)
    },
  },
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
