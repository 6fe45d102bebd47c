import type { Kernel } from '../../../src/kernel/port.js'
import { kernel } from './kernel.js'

/** The real kernel, and how many of its arenas are not given back. */
export function countedKernel(): { readonly kernel: Kernel; readonly held: () => number } {
  const arenas = new Set<object>()
  const arena: Kernel['arena'] = (options) => {
    const made = kernel.arena(options)
    const free = made.free.bind(made)
    made.free = () => {
      arenas.delete(made)
      free()
    }
    arenas.add(made)
    return made
  }
  const counted = new Proxy(kernel, {
    get(target, key) {
      if (key === 'arena') return arena
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { kernel: counted, held: () => arenas.size }
}
