import naive from '../naive_scan.wasm?url'
import { loadKernel } from '../../src/kernel/load.js'
import { kernelContenders, naiveScan, scanned } from '../kernel-contenders.js'
import type { Contender } from '../race.js'

/**
 * First how many signatures to scan, answered by the names of the contenders; then who is to run which query, answered
 * by its milliseconds.
 */
export type Asked = number | { readonly contender: number; readonly query: number }

let contenders: Contender[] = []

onmessage = async ({ data }: MessageEvent<Asked>) =>
  postMessage(typeof data === 'number' ? await enlist(data) : await timed(contenders[data.contender], data.query))

async function enlist(signatures: number): Promise<string[]> {
  const kernel = await loadKernel()
  const what = scanned(kernel, signatures)
  const code = await (await fetch(naive)).arrayBuffer()
  contenders = kernelContenders(kernel, what, await naiveScan(code, what.words), () => performance.now())
  return contenders.map(({ name }) => name)
}

async function timed({ run }: Contender, query: number): Promise<number> {
  const started = performance.now()
  const own = await run(query)
  return own ?? performance.now() - started
}
