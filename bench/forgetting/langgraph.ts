import { peer } from '../peers/contender.js'
import { embedding } from './embedding.js'
import type { Subject } from './store.js'

interface Memory {
  put(namespace: string[], key: string, value: object): Promise<void>
  delete(namespace: string[], key: string): Promise<void>
  search(namespace: string[], options: object): Promise<{ key: string; score?: number }[]>
}

const NAMESPACE = ['memories']

/** The store that LangGraph has for tests and small agents. It keeps nothing outside of main memory. */
export const langgraph: Subject = {
  name: "LangGraph's InMemoryStore",
  means: '`delete`',
  async open() {
    const { InMemoryStore } = await peer<{ InMemoryStore: new (options: object) => Memory }>(
      '@langchain/langgraph-checkpoint/dist/index.js',
    )
    const embeddings = {
      embedDocuments: async (texts: string[]) => texts.map(embedding),
      embedQuery: async (text: string) => embedding(text),
    }
    const store = new InMemoryStore({ index: { dims: 256, embeddings, fields: ['text'] } })
    return {
      async add(items) {
        for (const { id, text } of items) await store.put(NAMESPACE, id, { text })
      },
      async delete(items) {
        for (const { id } of items) await store.delete(NAMESPACE, id)
      },
      async search(cue, k) {
        const found = await store.search(NAMESPACE, { query: cue, limit: k })
        return found.map(({ key, score = 0 }) => ({ id: key, score }))
      },
      stored: async () => [],
    }
  },
}
