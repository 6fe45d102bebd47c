import type { KernelFile } from './loading.js'

/** The kernel without its graphs and the scans that no recall asks: a page loads it first. */
export const CORE_MODULE: KernelFile = {
  name: 'agidb_core_bg.wasm',
  url: () => new URL('./built/agidb_core_bg.wasm', import.meta.url),
}
