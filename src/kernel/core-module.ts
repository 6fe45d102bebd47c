/** The kernel without its graphs, which a page loads first. */
export const CORE_MODULE = new URL('./built/agidb_core_bg.wasm', import.meta.url)
