/** The graphs as a module of their own, which a page loads when something is first asked of them. */
export const GRAPHS_MODULE = new URL('./built/agidb_graphs_bg.wasm', import.meta.url)
