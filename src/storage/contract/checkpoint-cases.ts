// The checkpoint part: a stored checkpoint is offered again, with the commits after it.
import type { StorageCase } from './case.js'
import { noise, put, puts, sign } from './episodes.js'
import type { OpenedStore } from './opened-store.js'
import { assert, assertEqual } from './assert.js'

/** A storage with so many episodes and a checkpoint of them, open. */
async function checkpointed(storage: OpenedStore, episodes: number): Promise<OpenedStore> {
  await storage.open(() => undefined)
  await storage.commit(puts(0, episodes))
  await storage.parts.checkpoint!.write([{ name: 'part', array: () => noise(1, 100) }])
  return storage
}

export const checkpointCases: StorageCase[] = [
  {
    name: 'a checkpoint is offered when the storage is opened again, with the changes that came after it',
    needs: 'checkpoint',
    async run({ storage }) {
      const first = await checkpointed(storage(), 3)
      await first.commit([put(3)])
      await first.close()
      const second = storage()
      const [changed, visited]: [number[], number[]] = [[], []]
      let part: unknown
      await second.open(({ slot }) => visited.push(slot), {
        load: async (checkpoint) => {
          part = (await checkpoint.parts('part')).get('part')
          return true
        },
        reset: () => undefined,
        change: ({ slot }) => changed.push(slot),
        has: (slot) => slot < 3 || changed.includes(slot),
      })
      assertEqual(
        [part, changed, visited],
        [noise(1, 100), [3], []],
        'the checkpoint, the changes after it, what is visited',
      )
      await second.close()
    },
  },
  {
    name: 'what a checkpoint lacks is visited, with what it was last changed to',
    needs: 'checkpoint',
    async run({ storage }) {
      const first = await checkpointed(storage(), 600)
      const row = noise(9, 70)
      await first.commit([put(600), { op: 'update', slot: 3, id: 'ep_3', row }, sign(4, { latent: noise(8, 9) })])
      await first.close()
      const second = storage()
      const [changed, visited]: [string[], [number, number][]] = [[], []]
      // The engine's checkpoint has the episodes alone; here, every third slot is of another kind.
      await second.open(({ slot, row: { length } }) => visited.push([slot, length]), {
        load: async () => true,
        reset: (error) => assert(false, `nothing is damaged: ${String(error)}`),
        change: ({ op, slot }) => changed.push(`${op} ${slot}`),
        has: (slot) => slot % 3 !== 0,
      })
      assertEqual(changed.sort(), ['put 600', 'setSignatures 4', 'update 3'], 'changes')
      const lengthOf = (slot: number): number => (slot === 3 ? row : put(slot).row).length
      const lacked = Array.from({ length: 201 }, (_, i): [number, number] => [3 * i, lengthOf(3 * i)])
      assertEqual(visited, lacked, 'what is visited')
      await second.close()
    },
  },
  {
    name: 'a checkpoint that cannot be used is said to be damaged, and all is visited',
    needs: 'checkpoint',
    async run({ storage }) {
      const first = await checkpointed(storage(), 3)
      await first.close()
      for (const isDamaged of [true, false]) {
        const again = storage()
        const visited: number[] = []
        const reasons: unknown[] = []
        await again.open(({ slot }) => visited.push(slot), {
          load: () => (isDamaged ? Promise.reject(new Error('not what was written')) : Promise.resolve(false)),
          reset: (error) => reasons.push((error as Error).message),
          change: () => undefined,
          has: () => true,
        })
        assertEqual([visited, reasons], [[0, 1, 2], isDamaged ? ['not what was written'] : []], 'visited, reasons')
        await again.close()
      }
    },
  },
  {
    name: 'a checkpoint does not keep what was removed after it',
    needs: 'checkpoint',
    async run({ storage }) {
      const first = await checkpointed(storage(), 4)
      await first.commit([{ op: 'remove', slot: 2, id: 'ep_2' }])
      await first.commit([put(4)])
      await first.close()
      const second = storage()
      const live = new Set<number>()
      await second.open(({ slot }) => live.add(slot), {
        load: async () => [0, 1, 2, 3].every((slot) => live.add(slot)),
        reset: () => live.clear(),
        change: ({ op, slot }) => (op === 'remove' ? live.delete(slot) : live.add(slot)),
        has: (slot) => live.has(slot),
      })
      assertEqual([...live], [0, 1, 3, 4], 'live slots')
      await second.close()
    },
  },
]
