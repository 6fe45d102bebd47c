/**
 * The sources; or, with `AGIDB_BUILT=1` and after `npm run build`, the library as its users have it: in Node its
 * threads start from there alone.
 */
const { Agidb } = (await import(
  process.env.AGIDB_BUILT
    ? new URL('../dist/src/runtimes/node/index.js', import.meta.url).href
    : '../src/runtimes/node/index.js'
)) as typeof import('../src/runtimes/node/index.js')

export { Agidb }
