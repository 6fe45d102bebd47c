// The checkpoint part: a stored checkpoint is offered again, with the commits after it.
import type { StorageCase } from './case.js'
import { noise, put, puts } from './episodes.js'
import { assertEqual } from './assert.js'

export const checkpointCases: StorageCase[] = [
  {
    name: 'a checkpoint is offered when the storage is opened again, with the changes that came after it',
    needs: 'checkpoint',
    async run({ storage }) {
      const first = storage()
      await first.open(() => undefined)
      await first.commit(puts(0, 3))
      await first.parts.checkpoint!.write([{ name: 'part', array: () => noise(1, 100) }])
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
]
