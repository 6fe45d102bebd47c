import type { OpenedStore } from '../../src/storage/contract/opened-store.js'
import fc from 'fast-check'
import type { StorageChange, Signatures } from '../../src/api/storage.js'
import {
  applyTo,
  modelOf,
  puts,
  unpacked,
  listed,
  noise,
  openInto,
  put,
  sign,
  type Kept,
} from '../../src/storage/contract/episodes.js'
import { assertEqual } from '../../src/storage/contract/assert.js'
import type { PlaceCase, PlaceContext } from './case.js'

/** A step of a random history. Numbers are taken modulo what there is to choose from. */
interface Edit {
  readonly kind: 'put' | 'update' | 'setSignatures' | 'remove'
  readonly pick: number
  readonly size: number
}
type Step = Edit | { readonly kind: 'commit' } | { readonly kind: 'compact' } | { readonly kind: 'reopen' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), pick: fc.nat(3), size: fc.nat(2000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('update' as const), pick: fc.nat(), size: fc.nat(2000) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('setSignatures' as const), pick: fc.nat(), size: fc.nat(1100) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(), size: fc.constant(0) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'commit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
)

async function replay({ storage: place, durable }: PlaceContext, steps: readonly Step[]): Promise<void> {
  const model = new Map<number, Kept>()
  let store = place()
  let { nextSlot } = await openInto(store)
  let pending: StorageChange[] = []
  const staged = new Map<number, Kept>()
  for (const next of [...steps, { kind: 'reopen' } as const]) {
    if (next.kind === 'compact') {
      await store.parts.maintenance?.compact()
      continue
    }
    if (next.kind === 'commit' || next.kind === 'reopen') {
      await store.commit(pending)
      applyTo(model, pending)
      pending = []
      const slots = Array.from({ length: nextSlot + 2 }, (_, slot) => slot)
      assertEqual(
        await store.rows(slots),
        slots.map((slot) => model.get(slot)?.row),
        'rows',
      )
      await expectSigned(store, slots, model)
      if (next.kind === 'commit' || !durable) continue
      await store.close()
      store = place()
      const opened = await openInto(store)
      assertEqual(listed(opened.kept), listed(model), 'episodes after opening again')
      assertEqual(opened.nextSlot, nextSlot, 'next slot')
      continue
    }
    const change = changeOf(next, staged, nextSlot)
    if (!change) continue
    if (change.op === 'put') nextSlot = change.slot + 1
    pending.push(change)
    applyTo(staged, [change])
  }
  await store.commit([...model.entries()].map(([slot, { id }]) => ({ op: 'remove', slot, id })))
  await store.close()
}

/** Where signatures can be read by themselves they are those of the live slots, each once. */
async function expectSigned(
  store: OpenedStore,
  slots: readonly number[],
  model: ReadonlyMap<number, Kept>,
): Promise<void> {
  const { signatures } = store.parts
  if (signatures === undefined) return
  const found: [number, Kept][] = []
  await signatures.visitPacked(slots, (slot, packed) => void found.push([slot, unpacked(packed)]))
  const expected = Array.from(model, ([slot, kept]): [number, Kept] => [
    slot,
    { ...kept, id: '', row: new Uint8Array(0) },
  ])
  assertEqual([found.length, ...listed(new Map(found))], [expected.length, ...listed(new Map(expected))], 'signatures')
}

function changeOf({ kind, pick, size }: Edit, live: Map<number, Kept>, nextSlot: number): StorageChange | undefined {
  if (kind === 'put') return put(nextSlot + pick, size)
  const slots = [...live.keys()]
  if (slots.length === 0) return undefined
  const slot = slots[pick % slots.length]
  const { id } = live.get(slot)!
  if (kind === 'setSignatures') return sign(slot, signaturesOf(pick, size), pick % 256)
  return kind === 'remove' ? { op: 'remove', slot, id } : { op: 'update', slot, id, row: noise(pick, size) }
}

/** Signatures of one to four kinds. */
function signaturesOf(pick: number, size: number): Signatures {
  const kinds = (['latent', 'sentence', 'text', 'structured'] as const).filter(
    (_, index) => ((pick % 15) + 1) & (1 << index),
  )
  return Object.fromEntries(kinds.map((kind, index) => [kind, noise(pick + index, size)]))
}

export const randomCases: PlaceCase[] = [
  {
    name: 'random histories of commits and reopenings agree with a map',
    async run(context) {
      const histories = fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => replay(context, steps))
      await fc.assert(histories, { numRuns: context.runs, endOnFailure: true })
    },
  },
  {
    name: 'of random signs, in random commits, the latest of each kind is handed over',
    needs: 'durable',
    async run({ storage, runs }) {
      const blob = fc.option(fc.uint8Array({ minLength: 1, maxLength: 40 }), { nil: undefined })
      const signed = fc.record({
        slot: fc.nat(5),
        text: blob,
        structured: blob,
        latent: blob,
        sentence: blob,
        encoder: fc.nat(255),
      })
      const history = fc.asyncProperty(
        fc.array(fc.array(signed, { maxLength: 6 }), { maxLength: 6 }),
        async (commits) => {
          // The episodes of one run lie after those of the run before it.
          const store = storage()
          const { nextSlot, kept: before } = await openInto(store)
          const changes: StorageChange[][] = commits.map((commit) =>
            commit.map(({ slot, encoder, ...blobs }) => sign(nextSlot + slot, given(blobs), encoder)),
          )
          const all = [puts(nextSlot, 6), ...changes, ...(before.size > 30 ? [[...before.keys()].map(remove)] : [])]
          for (const commit of all) await store.commit(commit)
          await store.close()
          const again = storage()
          const { kept: after } = await openInto(again)
          await again.close()
          const expected = [
            ...(before.size > 30 ? [] : listed(before)),
            ...listed(modelOf(puts(nextSlot, 6), ...changes)),
          ]
          assertEqual(listed(after), expected, 'episodes')
        },
      )
      await fc.assert(history, { numRuns: runs, endOnFailure: true })
    },
  },
]

const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })

function given(signatures: { [kind in keyof Signatures]: Uint8Array | undefined }): Signatures {
  return Object.fromEntries(Object.entries(signatures).filter(([, blob]) => blob !== undefined))
}
