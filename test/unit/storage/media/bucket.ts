import type { MediaBucket, MediaListing } from '../../../../src/storage/media/media-bucket.js'
import type { LooseKey, LooseKeys } from '../../../../src/storage/media/loose-keys.js'

/** Objects that one answer lists, few so that lists have several pages. */
const PAGE = 3

/** A bucket in main memory, which counts what it is asked. */
export class MemoryBucket implements MediaBucket {
  readonly objects = new Map<string, Uint8Array<ArrayBuffer>>()
  gets = 0

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(key, bytes.slice())
  }

  async get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null> {
    this.gets++
    const found = this.objects.get(key)
    return found === undefined ? null : { arrayBuffer: async () => found.slice().buffer }
  }

  async delete(keys: string[]): Promise<void> {
    for (const key of keys) this.objects.delete(key)
  }

  async list({ prefix, cursor = '' }: { prefix: string; cursor?: string }): Promise<MediaListing> {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > cursor).sort()
    const page = keys.slice(0, PAGE)
    const objects = page.map((key) => ({ key }))
    return keys.length > PAGE ? { objects, truncated: true, cursor: page.at(-1) } : { objects, truncated: false }
  }
}

/** Lists of loose keys in main memory, by scope. */
export function looseKeysInMemory(): { of(scope?: string): LooseKeys; all(): LooseKey[] } {
  const lists = new Map<string, Map<string, LooseKey>>()
  return {
    all: () => [...lists.values()].flatMap((list) => [...list.values()]),
    of(scope = '') {
      const list = lists.get(scope) ?? new Map<string, LooseKey>()
      lists.set(scope, list)
      return {
        all: async () => [...list.values()],
        add: async (keys) => keys.forEach((one) => list.set(one.key, one)),
        drop: async (keys) => keys.forEach((key) => list.delete(key)),
      }
    },
  }
}
