import MiniSearch from 'minisearch'
import type { Item, Subject } from './store.js'

/** MiniSearch has two ways to delete a text, and a vacuum for what the second one leaves. */
export const minisearch: readonly Subject[] = [
  subject('MiniSearch', '`remove`', async (index, items) => index.removeAll(items)),
  subject('MiniSearch', '`discard`', async (index, items) => index.discardAll(items.map(({ id }) => id))),
  subject('MiniSearch', '`discard`, then `vacuum`', async (index, items) => {
    index.discardAll(items.map(({ id }) => id))
    await index.vacuum()
  }),
]

function subject(
  name: string,
  means: string,
  remove: (index: MiniSearch<Item>, items: readonly Item[]) => Promise<void>,
): Subject {
  return {
    name,
    means,
    async open() {
      // Without the vacuum of its own, so that what a call leaves can be seen.
      const index = new MiniSearch<Item>({ fields: ['text'], storeFields: ['text'], autoVacuum: false })
      return {
        add: async (items) => index.addAll(items),
        delete: (items) => remove(index, items),
        search: async (cue, k) =>
          index
            .search(cue)
            .slice(0, k)
            .map(({ id, score }) => ({ id: id as string, score })),
        // What its documentation tells to store.
        stored: async () => [Buffer.from(JSON.stringify(index))],
      }
    },
  }
}
