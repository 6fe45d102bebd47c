// The search for signatures that are near a query: exact distances, the nearest first, of live slots alone.
import type { NearestQuery, StorageChange } from '../../api/storage.js'
import { assertEqual } from './assert.js'
import type { StorageCase } from './case.js'
import { noise, openInto, put, sign } from './episodes.js'
import type { OpenedStore } from './opened-store.js'

const [FIRST, SECOND] = [noise(901, 8), noise(902, 8)]
const COUNT = 40

/** What begins with a mark. */
const marked = (mark: Uint8Array, seed: number): Uint8Array => Uint8Array.of(...mark, ...noise(seed, 1024))
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })

/** Queries of every form. */
const QUERIES: readonly NearestQuery[] = [
  { kind: 'text', signs: noise(1, 1024) },
  { kind: 'text', signs: noise(2, 1024), planes: noise(3, 4096) },
  { kind: 'text', signs: noise(4, 1024), planes: Uint8Array.of(...noise(5, 1024), ...new Uint8Array(3072)) },
  { kind: 'text', signs: noise(4, 1024), planes: new Uint8Array(4096) },
  { kind: 'text', signs: noise(6, 1024), mark: FIRST },
  { kind: 'latent', signs: noise(7, 1024), mark: FIRST },
  { kind: 'latent', signs: noise(8, 1024), mark: SECOND, planes: noise(9, 4096) },
  { kind: 'latent', signs: noise(10, 1024) },
  { kind: 'nothing', signs: noise(11, 1024) },
]

/** Signatures by kind and slot, as they should be found. */
class Model {
  readonly #kinds = new Map<string, Map<number, Uint8Array>>()

  set(kind: string, slot: number, bytes: Uint8Array): void {
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, new Map())
    this.#kinds.get(kind)!.set(slot, bytes)
  }

  remove(slot: number): void {
    for (const slots of this.#kinds.values()) slots.delete(slot)
  }

  nearest({ kind, signs, planes, mark = new Uint8Array(0) }: NearestQuery, k: number, slots?: Uint32Array) {
    return [...(this.#kinds.get(kind) ?? [])]
      .filter(([, bytes]) => bytes.length === mark.length + 1024 && mark.every((byte, i) => bytes[i] === byte))
      .filter(([slot]) => slots === undefined || (slots[slot >> 5] & (1 << (slot & 31))) !== 0)
      .map(([slot, bytes]) => ({ slot, distance: distance(bytes.subarray(mark.length), signs, planes) }))
      .sort((a, b) => a.distance - b.distance || a.slot - b.slot)
      .slice(0, k)
  }
}

function distance(a: Uint8Array, b: Uint8Array, planes?: Uint8Array): number {
  let sum = 0
  for (let bit = 0; bit < 8192; bit++) {
    const [byte, mask] = [bit >> 3, 1 << (bit & 7)]
    if ((a[byte] & mask) === (b[byte] & mask)) continue
    if (planes === undefined) sum++
    else for (let plane = 0; plane < 4; plane++) sum += (planes[plane * 1024 + byte] & mask) === 0 ? 0 : 2 ** plane
  }
  return sum
}

async function assertNearest(store: OpenedStore, model: Model, what: string): Promise<void> {
  const { signatures } = store.parts
  const odd = Uint32Array.of(0xaaaa_aaaa, 0xff)
  for (const [i, query] of QUERIES.entries())
    for (const [k, slots] of [[5], [COUNT * 2], [3, odd], [COUNT, odd], [4, Uint32Array.of(0)]] as const) {
      const found = await signatures!.nearest!(query, k, slots)
      assertEqual(found, model.nearest(query, k, slots), `${what}, query ${i}, k ${k}, ${slots?.length ?? 0} words`)
    }
}

/** Opens what was closed. */
async function assertNearestAgain(store: OpenedStore, model: Model): Promise<void> {
  await openInto(store)
  await assertNearest(store, model, 'when opened again')
  await store.close()
}

export const nearestCases: StorageCase[] = [
  {
    name: 'the nearest signatures are found with their distance, as commits leave them, and when opened again',
    needs: 'nearest',
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      const model = new Model()
      await assertNearest(store, model, 'of nothing')
      const puts = Array.from({ length: COUNT }, (_, slot) => put(slot, 40, 3 * slot))
      await store.commit(puts)
      for (const { slot, signatures } of puts) model.set('text', slot, signatures.text!)
      await assertNearest(store, model, 'after a put')
      const latents = puts.filter(({ slot }) => slot % 3 > 0)
      const signs = latents.map(({ slot }) => sign(slot, { latent: marked(slot % 3 === 1 ? FIRST : SECOND, slot) }))
      await store.commit(signs)
      for (const { slot, signatures } of signs) model.set('latent', slot, signatures.latent!)
      await assertNearest(store, model, 'after a sign')
      const others = [
        sign(1, { latent: marked(SECOND, 77), text: noise(78, 1024) }),
        sign(2, { latent: new Uint8Array(0) }),
        sign(4, { latent: noise(79, 1024) }),
        sign(5, { text: noise(80, 9) }),
        remove(7),
      ]
      await store.commit([...others.slice(0, 3), { ...put(COUNT), signatures: {} }, ...others.slice(3)])
      for (const change of others)
        if (change.op === 'remove') model.remove(change.slot)
        else if (change.op === 'setSignatures')
          for (const [kind, bytes] of Object.entries(change.signatures)) model.set(kind, change.slot, bytes!)
      await store.commit([sign(8, { text: noise(81, 1024) }), remove(8), put(COUNT + 1, 40, 600), remove(COUNT + 1)])
      model.remove(8)
      await assertNearest(store, model, 'after others and a remove')
      await store.close()
      if (durable) await assertNearestAgain(storage(), model)
    },
  },
  {
    name: 'after a replacement the signatures of the new content are found and no others; of one that fails, none',
    needs: 'nearest',
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      const model = new Model()
      await store.commit([put(0, 40, 3), put(1, 40, 6)])
      const failed = await store
        .replace(async (add) => {
          await add([put(0, 40, 90), put(1, 40, 93)])
          throw new Error('no more')
        })
        .catch((error: unknown) => error)
      assertEqual(String(failed), 'Error: no more', 'what the replacement rejects with')
      for (const [slot, seed] of [3, 6].entries()) model.set('text', slot, put(slot, 40, seed).signatures.text!)
      await assertNearest(store, model, 'after a failure')
      await store.replace(async (add) => {
        await add([put(0, 40, 90)])
        await add([put(2, 40, 93)])
      })
      model.remove(1)
      for (const [slot, seed] of [90, undefined, 93].entries())
        if (seed !== undefined) model.set('text', slot, put(slot, 40, seed).signatures.text!)
      await store.commit([put(3, 40, 96)])
      model.set('text', 3, put(3, 40, 96).signatures.text!)
      await assertNearest(store, model, 'after a replacement')
      await store.close()
      if (durable) await assertNearestAgain(storage(), model)
    },
  },
]
