/**
 * Writes the files of the present formats that tests open, so that every later version must: `npx tsx
 * tools/make-fixtures.ts`. To be run once for a new version of a format, under its number; what older versions wrote
 * stays.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agidb } from '../src/runtimes/node/index.js'
import { FORMAT_VERSION } from '../src/storage/journal/frame.js'
import { EXPORT_VERSION } from '../src/transfer/header.js'
import { everyFloor } from '../test/unit/transfer/floors.js'

const EXPORTS = new URL('../test/unit/transfer/fixtures/', import.meta.url).pathname
const FOLDER = new URL(`../test/storage/fixtures/folder-${FORMAT_VERSION}`, import.meta.url).pathname

rmSync(FOLDER, { recursive: true, force: true })
// Relaxed, which is what the newest version is for.
const db = await Agidb.open({
  extract: 'none',
  path: FOLDER,
  durability: 'relaxed',
  codebook: 'none',
  seed: 1,
  clock: () => Date.UTC(2027, 0, 15, 8),
})
await everyFloor(db)
mkdirSync(EXPORTS, { recursive: true })
for (const [name, options] of [
  ['', {}],
  ['-encrypted', { passphrase: 'correct horse battery staple' }],
] as const) {
  writeFileSync(
    join(EXPORTS, `export-${EXPORT_VERSION}${name}.agidb`),
    new Uint8Array(await new Response(await db.export(options)).arrayBuffer()),
  )
}
await db.close()
// What can be made again is no part of the format.
rmSync(join(FOLDER, 'index.agidb'), { force: true })
