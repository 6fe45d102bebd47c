import type { Kernel } from './port.js'

/** Some exports by which the graphs are told from another module, before the glue takes hold of them. */
export const GRAPH_EXPORTS = ['wasmassociations_new', 'wasmchain_new', 'wasmentities_activate', 'wasmtags_new']

/** Whether a kernel brings its graphs along. Otherwise they are a module of their own, which must be loaded. */
export function bringsGraphs({ graphs, exports = {} }: Kernel): boolean {
  return graphs !== undefined || GRAPH_EXPORTS.every((name) => name in exports)
}
