import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** bench/native/src/main.rs in a process of its own, which measures itself. */
export interface NativeScan {
  /** The vectors that it uses. */
  readonly level: string
  /** `processorMs`: without the time that other programs had the processor. */
  nearest(query: Uint8Array): Promise<{ row: number; ms: number; processorMs: number }>
  /** Milliseconds of processor time to read all rows and do next to nothing with them. */
  read(): Promise<number>
  /** The same of the bytes that a scan of columns reads, in its order: half of them. */
  readColumns(): Promise<number>
  stop(): void
}

const WORDS = 256
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds and starts the native row scan of these rows; `undefined` where there is no Rust, or one that is too old. */
export async function nativeScan(words: Uint32Array): Promise<NativeScan | undefined> {
  const where = ['--manifest-path', '../bench/native/Cargo.toml', '--target-dir', 'target']
  const build = spawnSync('bash', [here('../tools/cargo.sh'), 'build', '--quiet', '--locked', '--release', ...where])
  if (build.status !== 0) return undefined
  const count = words.length / WORDS
  const child = spawn(here('../crate/target/release/native_scan'), [String(count)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => ((await lines.next()).value as string).split(' ')
  if (!child.stdin.write(new Uint8Array(words.buffer, words.byteOffset, words.byteLength)))
    await once(child.stdin, 'drain')
  const [, level] = await next()
  const nearest = async (query: Uint8Array) => {
    child.stdin.write(query)
    const [row, , nanoseconds, processor] = await next()
    return { row: Number(row), ms: Number(nanoseconds) / 1e6, processorMs: Number(processor) / 1e6 }
  }
  return {
    level,
    nearest,
    read: async () => (await nearest(new Uint8Array(4 * WORDS))).processorMs,
    readColumns: async () => (await nearest(new Uint8Array(4 * WORDS).fill(255))).processorMs,
    stop: () => child.stdin.end(),
  }
}
