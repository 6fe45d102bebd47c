import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** Where and when something was measured. */
export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryGB: number
  readonly node: string
  /** Of the peers that are installed. */
  readonly versions: Readonly<Record<string, string>>
}

const PEERS = [
  '@orama/orama',
  'minisearch',
  ...[
    'edgevec',
    'hnswlib-wasm',
    'voy-search',
    'usearch',
    'sqlite-vec',
    '@electric-sql/pglite',
    '@electric-sql/pglite-pgvector',
  ],
]

export function thisMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processor(),
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    versions: Object.fromEntries(PEERS.flatMap((name) => version(name).map((found) => [name, found]))),
  }
}

/** Its name, and the widest vectors that it has. */
function processor(): string {
  const { model = 'unknown' } = cpus()[0] ?? {}
  try {
    const flags = readFileSync('/proc/cpuinfo', 'utf8')
    return `${model}${flags.includes('avx512_vpopcntdq') ? ', AVX-512' : flags.includes('avx2') ? ', AVX2' : ''}`
  } catch {
    return model
  }
}

function version(name: string): string[] {
  for (const folder of ['./peers/node_modules', '../node_modules']) {
    try {
      return [
        (
          JSON.parse(readFileSync(new URL(`${folder}/${name}/package.json`, import.meta.url), 'utf8')) as {
            version: string
          }
        ).version,
      ]
    } catch {
      // Not there: perhaps in the other.
    }
  }
  return []
}
