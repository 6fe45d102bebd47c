/**
 * Fails when src/kernel/built is not what the sources in crate/ were compiled to: compares hashes
 * with those in stamp.json. `--write` writes them, after a build.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STAMP = join(ROOT, 'src/kernel/built/stamp.json')
const SOURCE_FILES = [
  'crate/Cargo.toml',
  'crate/Cargo.lock',
  'crate/fast/Cargo.toml',
  'crate/graph/Cargo.toml',
  'crate/small/Cargo.toml',
  'tools/build-kernel.sh',
  'tools/rust-env.sh',
]
const SOURCE_FOLDERS = ['crate/.cargo', 'crate/src', 'crate/examples']
const BUILT = [
  'src/kernel/built/agidb_kernel.js',
  'src/kernel/built/agidb_kernel.d.ts',
  'src/kernel/built/agidb_kernel_bg.wasm',
  'src/kernel/built/agidb_core_bg.wasm',
  'src/kernel/built/agidb_graphs.js',
  'src/kernel/built/agidb_graphs.d.ts',
  'src/kernel/built/agidb_graphs_bg.wasm',
  'bench/naive_scan.wasm',
]

/** Hashes by what they vouch for. */
interface Stamp {
  readonly sources: string
  readonly built: string
}

/** The files of a folder and of those in it, in an order that does not depend on the file system. */
function filesIn(path: string): string[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length)).sort()
}

function hash(paths: readonly string[]): string {
  const sum = createHash('sha256')
  for (const path of paths) {
    const content = readFileSync(join(ROOT, path))
    sum.update(`${path}\n${content.length}\n`).update(content)
  }
  return sum.digest('hex')
}

const stamp: Stamp = {
  sources: hash([...SOURCE_FILES, ...SOURCE_FOLDERS.flatMap(filesIn)]),
  built: hash(BUILT),
}

if (process.argv.includes('--write')) {
  writeFileSync(STAMP, `${JSON.stringify(stamp, null, 2)}\n`)
} else {
  const kept = JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp
  if (kept.sources !== stamp.sources) {
    console.error('src/kernel/built was compiled from other sources than those in crate/: run npm run build:kernel')
    process.exitCode = 1
  } else if (kept.built !== stamp.built) {
    console.error('src/kernel/built was changed by hand: run npm run build:kernel')
    process.exitCode = 1
  }
}
