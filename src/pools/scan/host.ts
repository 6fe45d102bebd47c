import { kernelFrom } from '../../kernel/loading.js'
import type { Arena, Kernel } from '../../kernel/port.js'
import type { SpaceKind } from '../../encoding/spaces/spaces.js'
import type { ScanHost } from './port.js'

/** The shard's side of the wire. */
export function scanHost(): ScanHost {
  let loaded: Promise<Kernel>
  const arenas = new Map<SpaceKind, Arena>()
  return {
    async open(source) {
      // Only the WebAssembly kernel: to scan with the reference kernel would be slower than not to share the work.
      loaded = kernelFrom(source)
      await loaded
    },
    async set(loads) {
      const kernel = await loaded
      for (const { space, slots, signatures } of loads) {
        let into = arenas.get(space)
        if (into === undefined) arenas.set(space, (into = kernel.arena()))
        into.setMany(slots, signatures)
      }
      return kernel.memoryBytes
    },
    async clear(slots) {
      await loaded // what was asked before comes first
      for (const arena of arenas.values()) for (const slot of slots) arena.clear(slot)
    },
    async scan(asked, k, allow) {
      await loaded
      return asked.map(
        ({ space, query }) =>
          arenas.get(space)?.scan(query, k, allow) ?? { slots: new Uint32Array(0), scores: new Int32Array(0) },
      )
    },
  }
}
