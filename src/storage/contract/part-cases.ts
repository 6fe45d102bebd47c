// Which parts an open storage has.
import type { StorageCase } from './case.js'
import { assertEqual } from './assert.js'

const OPTIONAL_PARTS = ['signatures', 'checkpoint', 'maintenance'] as const

export const partCases: StorageCase[] = [
  {
    name: 'an open storage has the parts that it is said to have, and no others',
    async run({ storage, parts = [] }) {
      const store = storage()
      await store.open(() => undefined)
      const found = OPTIONAL_PARTS.filter((part) => store.parts[part] !== undefined)
      const expected = OPTIONAL_PARTS.filter((part) => parts.includes(part))
      assertEqual(found, expected, 'optional parts')
      const searches = parts.includes('nearest')
      assertEqual(store.parts.signatures?.nearest !== undefined, searches, 'whether signatures has nearest')
      assertEqual(store.searches, searches, 'searches of the adapter')
      await store.close()
    },
  },
]
