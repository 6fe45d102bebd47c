/**
 * Fails, where `CI` is set, when the kernel's scan has become slow by far; prints how it stands: `npm run bench:gates`.
 * The targets are ratios to a native row scan, which one processor does twice as fast as another while both run
 * WebAssembly alike. So the gates are ratios to plain JavaScript, measured in the same run: what the coarse bounds on
 * the ratio to the native scan come to where that takes 7.0 ms and plain JavaScript 54. Processors differ in plain
 * JavaScript, too, so that one of the two ratios is enough. The scan of rows counts bits, for which processors differ
 * most: WebAssembly takes 5 times as long as AVX-512 on one and 2.5 times on another. It also passes when it is faster
 * than the rows that anyone would write first in WebAssembly. Each gate is the best of up to eight runs: a machine
 * whose memory others use is slow for some seconds.
 */
import { kernelScan } from './kernel-scan.js'

/** The largest ratios to plain JavaScript. */
const GATES: Readonly<Record<string, number>> = { exact1: 0.117, batch8: 0.065, twoStage: 0.036, rows: 0.188 }
/** Ratios to the native scan, either of which is enough. */
const OR_TO_NATIVE: Readonly<Record<string, number>> = { exact1: 0.9, batch8: 0.5, twoStage: 0.28, rows: 1.45 }
/** Ratios to the naive scan in WebAssembly, either of which is enough. */
const OR_TO_NAIVE: Readonly<Record<string, number>> = { rows: 0.9 }
const RUNS = 8

const best: Record<string, number> = {}
const toNaive: Record<string, number> = {}
const toNative: Record<string, number> = {}
const passes = (key: string) =>
  best[key] <= GATES[key] || toNative[key] <= OR_TO_NATIVE[key] || toNaive[key] <= (OR_TO_NAIVE[key] ?? -1)
const failing = () => Object.keys(GATES).filter((key) => !passes(key))

for (let run = 0; run < RUNS && failing().length > 0; run++) {
  const [{ rows }] = await kernelScan({ rounds: 7, only: [...failing(), 'plain', 'naive'] })
  const plain = rows.find(({ key }) => key === 'plain')!.value
  // Without Rust the naive scan is the base of the ratios and stands first.
  const naive = (rows.find(({ key }) => key === 'naive') ?? rows[0]).value
  for (const { key, value, ratio } of rows) {
    if (key === undefined || !(key in GATES)) continue
    toNaive[key] = Math.min(toNaive[key] ?? Infinity, value / naive)
    best[key] = Math.min(best[key] ?? Infinity, value / plain)
    if (rows[0].name.startsWith('native') && ratio !== undefined)
      toNative[key] = Math.min(toNative[key] ?? Infinity, ratio)
  }
}
for (const [key, gate] of Object.entries(GATES)) {
  const or = OR_TO_NAIVE[key] === undefined ? '' : ` or ${OR_TO_NAIVE[key].toFixed(3)} of naive WebAssembly`
  const beside =
    toNative[key] === undefined
      ? ''
      : `; × ${toNative[key].toFixed(2)} of the native scan, or at most ${OR_TO_NATIVE[key].toFixed(2)} of that`
  console.log(
    `${key.padEnd(10)} × ${best[key].toFixed(3)} of plain JavaScript, × ${toNaive[key].toFixed(3)} of naive ` +
      `WebAssembly, at most ${gate.toFixed(3)} of plain JavaScript${or}${beside}`,
  )
}
if (failing().length > 0) {
  console.error(`Error: slower than the gate: ${failing().join(', ')}`)
  if (process.env['CI']) process.exitCode = 1
}
