import { create, insertMultiple, removeMultiple, save, search } from '@orama/orama'
import type { Subject } from './store.js'

/** Orama, searched by words. */
export const orama: Subject = {
  name: 'Orama',
  means: '`removeMultiple`',
  async open() {
    const db = create({ schema: { id: 'string', text: 'string' } })
    return {
      add: async (items) => void (await insertMultiple(db, [...items])),
      delete: async (items) =>
        void (await removeMultiple(
          db,
          items.map(({ id }) => id),
        )),
      async search(cue, k) {
        const { hits } = await search(db, { term: cue, properties: ['text'], limit: k })
        return hits.map(({ id, score }) => ({ id, score }))
      },
      // What its documentation tells to store.
      stored: async () => [Buffer.from(JSON.stringify(save(db)))],
    }
  },
}
