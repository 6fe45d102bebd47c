// Signatures: set with an episode or later, replaced by kind, and read again.
import type { SignatureStore, StorageChange } from '../../api/storage.js'
import type { StorageCase } from './case.js'
import { copyOf, listed, modelOf, noise, openInto, put, puts, sign, unpacked, type Kept } from './episodes.js'
import { assertEqual, assertRefused } from './assert.js'
import type { OpenedStore } from './opened-store.js'

const row = (slot: number, seed: number): StorageChange => ({
  op: 'update',
  slot,
  id: `ep_${slot}`,
  row: noise(seed, 90),
})
const remove = (slot: number): StorageChange => ({ op: 'remove', slot, id: `ep_${slot}` })
const bytes = (seed: number): Uint8Array => noise(seed, 1032)

/** A history, and that what it leaves is there when opened again, twice. */
function kept(name: string, ...commits: (readonly StorageChange[])[]): StorageCase {
  return {
    name,
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      for (const commit of commits) await first.commit(commit)
      const model = modelOf(...commits)
      const slots = [0, 1, 2, 3]
      assertEqual(
        await first.rows(slots),
        slots.map((slot) => model.get(slot)?.row),
        'rows before closing',
      )
      await first.close()
      for (let round = 0; round < 2; round++) {
        const again = storage()
        assertEqual(listed((await openInto(again)).kept), listed(model), 'episodes when opened again')
        assertEqual((await again.stats()).opening, [], 'what opening reports')
        await again.close()
      }
    },
  }
}

/** A sign that does not fit is refused with all of its commit, and the store goes on. */
function refused(name: string, ...changes: readonly StorageChange[]): StorageCase {
  return {
    name: `${name} is refused with its whole commit`,
    async run({ storage, durable }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit(puts(0, 3))
      await store.commit([remove(1)])
      await assertRefused('AGIDB_INTERNAL', () => store.commit([put(5), row(0, 7), ...changes]))
      assertEqual(await store.rows([0, 1, 2, 5]), [put(0).row, undefined, put(2).row, undefined], 'rows')
      const after = [sign(2, { latent: bytes(3) }), put(3)]
      await store.commit(after)
      await store.close()
      if (!durable) return
      const again = storage()
      assertEqual(
        listed((await openInto(again)).kept),
        listed(modelOf(puts(0, 3), [remove(1)], after)),
        'episodes when opened again',
      )
      await again.close()
    },
  }
}

/** The order in which `count` slots are signed, as far from their own as can be. */
const scattered = (count: number): number[] => Array.from({ length: count }, (_, index) => (index * 389) % count)

export const signatureCases: StorageCase[] = [
  kept('an episode may be put with signatures of every kind', [
    {
      ...put(0),
      signatures: { text: bytes(1), structured: bytes(2), latent: bytes(3), sentence: bytes(4) },
      encoder: 4,
    },
    { ...put(1), signatures: { latent: bytes(5) } },
  ]),
  kept(
    'a sign adds kinds; the row and the other kinds stay',
    puts(0, 3),
    [sign(1, { latent: bytes(1) })],
    [sign(1, { sentence: bytes(2) }), sign(2, { latent: bytes(3), sentence: bytes(4) })],
  ),
  kept(
    'a sign replaces its kinds alone, and the latest counts',
    puts(0, 3),
    [sign(1, { latent: bytes(1), sentence: bytes(2) })],
    [sign(1, { latent: bytes(3) })],
    [sign(1, { text: bytes(4) }), sign(1, { sentence: noise(5, 7) })],
  ),
  kept(
    'a sign before and after an update',
    puts(0, 2),
    [sign(0, { latent: bytes(1) })],
    [row(0, 70)],
    [row(0, 71), sign(0, { sentence: bytes(2) }), row(0, 72)],
    [sign(0, { latent: bytes(3) })],
  ),
  kept('an episode may be signed in the commit that puts it', [
    put(0),
    sign(0, { latent: bytes(1) }),
    put(1),
    sign(0, { latent: bytes(2) }),
    row(0, 7),
  ]),
  kept(
    'a removed episode takes its signatures with it',
    puts(0, 4),
    [sign(1, { latent: bytes(1) }), sign(2, { latent: bytes(2) })],
    [remove(1), sign(2, { sentence: bytes(3) }), remove(2), sign(3, { latent: bytes(4) })],
    [put(6), sign(6, { latent: bytes(6) }), remove(6)],
  ),
  kept('a sign without signatures changes nothing', puts(0, 2), [sign(1, {})]),
  kept('a sign of an episode that had no signature', [{ ...put(0), signatures: {} }], [sign(0, { latent: bytes(1) })]),
  kept(
    'the encoder of a sign is that of text and structured alone',
    [
      { ...put(0), encoder: 3 },
      { ...put(1), encoder: 3 },
      { ...put(2), signatures: {} },
      { ...put(4), encoder: 3 },
    ],
    [
      sign(0, { latent: bytes(1) }, 9),
      sign(1, { text: bytes(2), structured: bytes(3) }, 4),
      sign(2, { sentence: bytes(4) }, 9),
      sign(4, { structured: bytes(5) }),
    ],
  ),
  refused('a sign of a removed episode', sign(1, { latent: bytes(1) })),
  refused('a sign of an episode that never was', sign(40, { latent: bytes(1) })),
  refused('a sign after the remove of its commit', remove(2), sign(2, { latent: bytes(1) })),
  {
    name: 'a commit does not keep the signatures that it was given',
    needs: 'durable',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit(puts(0, 1))
      const backing = bytes(5)
      await first.commit([sign(0, { latent: backing.subarray(30, 60) })])
      backing.fill(0)
      await first.close()
      const second = storage()
      assertEqual((await openInto(second)).kept.get(0)?.latent, bytes(5).slice(30, 60), 'signature')
      await second.close()
    },
  },
  {
    name: 'reopened between them, signs add up',
    needs: 'durable',
    async run({ storage }) {
      const commits = [
        puts(0, 3),
        [sign(0, { latent: bytes(1) })],
        [row(0, 5), sign(0, { sentence: bytes(2) })],
        [sign(0, { latent: bytes(3) }), remove(1)],
        [put(3), sign(3, { text: bytes(4) }, 2)],
      ]
      for (let done = 0; done < commits.length; done++) {
        const store = storage()
        assertEqual(
          listed((await openInto(store)).kept),
          listed(modelOf(...commits.slice(0, done))),
          `episodes after ${done} commits`,
        )
        await store.commit(commits[done])
        await store.close()
      }
      const last = storage()
      assertEqual(listed((await openInto(last)).kept), listed(modelOf(...commits)), 'episodes')
      await last.close()
    },
  },
  {
    name: 'thousands are signed later, in any order and in several commits',
    needs: 'durable',
    async run({ storage }) {
      const count = 3000
      const first = storage()
      await first.open(() => undefined)
      // The first are signed before there are more.
      await first.commit(puts(0, 1000, 60))
      await first.commit([sign(0, { latent: bytes(count) })])
      await first.commit(puts(1000, count - 1000, 60))
      const order = scattered(count)
      for (let from = 0; from < count; from += 500) {
        await first.commit(order.slice(from, from + 500).map((slot) => sign(slot, { latent: bytes(slot) })))
      }
      await first.commit(order.slice(0, 500).map((slot) => sign(slot, { latent: bytes(slot + count) })))
      const again = new Set(order.slice(0, 500))
      await first.close()
      const second = storage()
      let visited = 0
      await second.open(({ slot, signatures }) => {
        const signed = bytes(again.has(slot) ? slot + count : slot)
        const { text } = put(slot).signatures
        if (signatures.latent!.some((byte, index) => byte !== signed[index]))
          throw new Error(`latent of ${slot} differs`)
        if (signatures.text!.some((byte, index) => byte !== text![index])) throw new Error(`text of ${slot} differs`)
        visited++
      })
      assertEqual(visited, count, 'episodes')
      await second.close()
    },
  },
  {
    name: 'signatures are read by slot: with their episodes, or alone and packed; slots that are not live are left out',
    needs: 'signatures',
    async run({ storage }) {
      const store = storage()
      await store.open(() => undefined)
      await store.commit([...puts(0, 4), { ...put(4), encoder: 9 }])
      await store.commit([remove(2), sign(3, { latent: bytes(1) })])
      const { visitEpisodes, visitPacked } = partOf(store)
      const episodes = new Map<number, Kept>()
      await visitEpisodes([4, 1, 2, 3, 7], (episode) => void episodes.set(episode.slot, copyOf(episode)))
      const whole = [...(await store.read([1, 3, 4]))].map((episode): [number, Kept] => [episode.slot, copyOf(episode)])
      assertEqual(listed(episodes), listed(new Map(whole)), 'episodes with their signatures')
      const packed: [number, Kept][] = []
      await visitPacked([4, 1, 2, 3, 7], (slot, signatures) => void packed.push([slot, unpacked(signatures)]))
      assertEqual(
        packed.map(([slot]) => slot),
        [1, 3, 4],
        'slots of the packed signatures',
      )
      const alone = whole.map(([slot, kept]): [number, Kept] => [slot, { ...kept, id: '', row: new Uint8Array(0) }])
      assertEqual(listed(new Map(packed)), listed(new Map(alone)), 'packed signatures')
      await store.close()
    },
  },
]

function partOf(store: OpenedStore): SignatureStore {
  const { signatures } = store.parts
  if (signatures === undefined) throw new Error('the storage has no signatures part when it is open')
  return {
    visitEpisodes: (...args) => signatures.visitEpisodes(...args),
    visitPacked: (...args) => signatures.visitPacked(...args),
  }
}
