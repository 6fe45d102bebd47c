import { readFile } from 'node:fs/promises'
import { readKernel } from '../src/kernel/node.js'
import { loadKernel } from '../src/kernel/load.js'
import { kernelContenders, naiveScan, scanned } from './kernel-contenders.js'
import { nativeScan } from './native-scan.js'
import { type Contender, race, raced } from './race.js'
import type { Row, Section } from './section.js'

/** How large and how long the measurement is. */
export interface KernelScanOptions {
  /** Signatures scanned. Default 98,304. */
  readonly signatures?: number
  /** Samples of each scan; the medians are reported. Default 15. */
  readonly rounds?: number
  /** The keys of what is measured beside the native program; default: all, and what has no key. */
  readonly only?: readonly string[]
  /** Contenders in Chromium, which scan the same; default none. */
  readonly chromium?: readonly Contender[]
}

/**
 * The kernel's scan for the ten best, beside the row scan as a native program would write it, the
 * same in plain JavaScript and, as anyone would write it first, in WebAssembly: all of the same
 * signatures; with all caches emptied before, and straight after another scan. A ratio is the
 * median of ratios within a round. The base runs twice: how far its second ratio is from 1 is how far
 * the others can be trusted. Without Rust there is no native program, and the WebAssembly rows are the base.
 */
export async function kernelScan({
  signatures = 98_304,
  rounds = 15,
  only,
  chromium = [],
}: KernelScanOptions = {}): Promise<Section[]> {
  const kernel = await loadKernel({ kernel: await readKernel() })
  const wanted = (key?: string) => only === undefined || (key !== undefined && only.includes(key))
  const what = scanned(kernel, signatures)
  const naive = await naiveScan(await readFile(new URL('naive_scan.wasm', import.meta.url)), what.words)
  const native = await nativeScan(what.words)
  if (native && (await native.nearest(what.queries[0])).row !== naive(what.queries[0]))
    throw new Error('the native scan disagrees')
  const others = kernelContenders(
    kernel,
    what,
    naive,
    processorMs,
    (key) => wanted(key) && (native !== undefined || key !== 'naive'),
  )
  const base: Contender = native
    ? {
        name: `native rows (${native.level}), binary query`,
        run: async (i) => (await native.nearest(what.queries[i])).processorMs,
      }
    : { name: 'naive WebAssembly rows, binary query', run: (i) => void naive(what.queries[i]) }
  const inNode: Contender[] = [
    base,
    { ...base, name: 'the same again' },
    ...(native && only === undefined
      ? [
          { name: 'native, reading all rows and no more', run: () => native.read() },
          { name: 'native, reading half of the columns and no more', run: () => native.readColumns() },
        ]
      : []),
    ...others,
  ]
  const contenders = [...inNode, ...chromium]
  const { cold, warm } = await race(contenders, rounds, processorMs)
  native?.stop()
  const rows = raced(contenders, cold)
  const section = (setting: string, rows: Row[]): Section => ({
    count: signatures,
    setting,
    title: `Scan of ${signatures} signatures, one thread, ${setting}, Node ${process.versions.node}`,
    rows,
  })
  // Who is asked for a ratio by its key is told the cold one, in Node.
  const keyless = (rows: Row[], setting: string) => rows.map((row): Row => ({ ...row, key: `${row.name}, ${setting}` }))
  return [
    section('cold', rows.slice(0, inNode.length)),
    section('warm', keyless(raced(contenders, warm).slice(0, inNode.length), 'warm')),
    ...(chromium.length > 0
      ? [section('cold, in Chromium', keyless(rows.slice(inNode.length), 'cold, in Chromium'))]
      : []),
  ]
}

/** Time that this program had the processor: what others take does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
