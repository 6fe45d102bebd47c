/**
 * Prints how the kernel's scan stands beside a native one, and where `CI` is set fails when it has become slow by far:
 * `npm run bench:gates`. The targets are lower; a gate leaves room for a machine that does other things. The gates are for
 * processors whose native scan is bound by memory: one with vectors of 512 bits in one piece and as much bandwidth for one
 * thread (Zen 5) is half as fast again. Each ratio is the best of up to three runs. Says so and passes where there is no
 * Rust to build the native scan with.
 */
import { kernelScan } from './kernel-scan.js'

/** The largest ratios to the native row scan, measured in the same run. */
const GATES: Readonly<Record<string, number>> = { exact1: 0.9, batch8: 0.5, twoStage: 0.28, rows: 1.45 }
const RUNS = 3

const best: Record<string, number> = {}
const failing = () => Object.keys(GATES).filter((key) => !(best[key] <= GATES[key]))

for (let run = 0; run < RUNS && failing().length > 0; run++) {
  const { rows } = await kernelScan({ rounds: 7, only: failing() })
  if (!rows.some(({ key }) => key !== undefined)) {
    console.log('the gates of the scan were skipped: no Rust to build the native scan with')
    process.exit()
  }
  for (const { key, ratio } of rows) if (key !== undefined && ratio !== undefined) best[key] = Math.min(ratio, best[key] ?? Infinity)
}
for (const [key, gate] of Object.entries(GATES)) console.log(`${key.padEnd(10)} × ${best[key].toFixed(2)}, at most ${gate.toFixed(2)}`)
if (failing().length > 0) {
  console.error(`Error: slower than the gate: ${failing().join(', ')}`)
  if (process.env['CI']) process.exitCode = 1
}
