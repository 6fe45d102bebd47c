import fc from 'fast-check'
import type { Change, Signatures, Storage } from '../../src/storage/port.js'
import { applyTo, listed, noise, openInto, put, sign, type Kept } from './episodes.js'
import { assertEqual } from './expect.js'
import type { StorageCase, StorageContext } from './case.js'

const KINDS = ['text', 'structured', 'latent', 'sentence'] as const

/** A step of a random history. Numbers are taken modulo what there is to choose from. */
interface Edit {
  readonly kind: 'put' | 'update' | 'sign' | 'remove'
  readonly pick: number
  readonly size: number
}
type Step = Edit | { readonly kind: 'commit' } | { readonly kind: 'compact' } | { readonly kind: 'reopen' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('put' as const), pick: fc.nat(3), size: fc.nat(2000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('update' as const), pick: fc.nat(), size: fc.nat(2000) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sign' as const), pick: fc.nat(), size: fc.nat(1100) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), pick: fc.nat(), size: fc.constant(0) }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'commit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
)

async function replay({ storage: place, durable }: StorageContext, steps: readonly Step[]): Promise<void> {
  const model = new Map<number, Kept>()
  let store = place()
  let { nextSlot } = await openInto(store)
  let pending: Change[] = []
  const staged = new Map<number, Kept>()
  for (const next of [...steps, { kind: 'reopen' } as const]) {
    if (next.kind === 'compact') {
      await store.compact?.()
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
async function expectSigned(store: Storage, slots: readonly number[], model: ReadonlyMap<number, Kept>): Promise<void> {
  if (store.signatures === undefined) return
  const found: [number, Kept][] = []
  await store.signatures(slots, (slot, packed) => {
    const { bytes, encoder } = packed
    const present = KINDS.filter((kind) => packed.start(kind) >= 0)
    const signatures = Object.fromEntries(
      present.map((kind) => [kind, bytes.slice(packed.start(kind), packed.start(kind) + packed.length(kind))]),
    )
    found.push([slot, { id: '', row: new Uint8Array(0), ...signatures, encoder }])
  })
  const expected = Array.from(model, ([slot, kept]): [number, Kept] => [
    slot,
    { ...kept, id: '', row: new Uint8Array(0) },
  ])
  assertEqual([found.length, ...listed(new Map(found))], [expected.length, ...listed(new Map(expected))], 'signatures')
}

function changeOf({ kind, pick, size }: Edit, live: Map<number, Kept>, nextSlot: number): Change | undefined {
  if (kind === 'put') return put(nextSlot + pick, size)
  const slots = [...live.keys()]
  if (slots.length === 0) return undefined
  const slot = slots[pick % slots.length]
  const { id } = live.get(slot)!
  if (kind === 'sign') return sign(slot, signaturesOf(pick, size), pick % 256)
  return kind === 'remove' ? { op: 'remove', slot, id } : { op: 'update', slot, id, row: noise(pick, size) }
}

/** Signatures of one to four kinds. */
function signaturesOf(pick: number, size: number): Signatures {
  const kinds = (['latent', 'sentence', 'text', 'structured'] as const).filter(
    (_, index) => ((pick % 15) + 1) & (1 << index),
  )
  return Object.fromEntries(kinds.map((kind, index) => [kind, noise(pick + index, size)]))
}

export const randomCases: StorageCase[] = [
  {
    name: 'random histories of commits and reopenings agree with a map',
    async run(context) {
      const histories = fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => replay(context, steps))
      await fc.assert(histories, { numRuns: context.runs, endOnFailure: true })
    },
  },
]
