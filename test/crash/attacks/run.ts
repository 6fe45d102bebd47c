/**
 * Attacks memories and counts what became of them: `npm run test:attacks`. A run that lost something without saying so
 * is a failure.
 *
 *   npm run test:attacks -- bit-rot --runs 200
 *   npm run test:attacks -- bit-rot --runs 1 --seed 17    # once more what run 17 did
 */
import { parseArgs } from 'node:util'
import type { Outcome } from './attack.js'
import { ATTACKS } from './attacks.js'

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, seed: { type: 'string', default: '0' } },
  allowPositionals: true,
})
const [runs, first] = [values.runs, values.seed].map(Number)
const names = ATTACKS.map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
const isCount = (number: number): boolean => Number.isSafeInteger(number) && number >= 0
if (unknown.length > 0 || !isCount(runs) || !isCount(first)) {
  console.error(
    unknown.length > 0
      ? `no attack ${unknown.join(', ')}; there are ${names.join(', ')}`
      : '--runs and --seed take a whole number',
  )
  process.exit(2)
}

let failures = 0
for (const attack of ATTACKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const reason = attack.impossible?.()
  if (reason !== undefined) {
    console.log(`NOT RUN ${attack.name}: ${reason}`)
    if (positionals.length > 0) failures++ // it was asked for by its name
    continue
  }
  const counts: Record<Outcome, number> = { detected: 0, repaired: 0, intact: 0, 'silent loss': 0 }
  const failed: string[] = []
  for (let seed = first; seed < first + runs; seed++) {
    try {
      const outcome = await attack.run(seed)
      counts[outcome]++
      if (outcome === 'silent loss') failed.push(`seed ${seed}: silent loss`)
    } catch (error) {
      failed.push(`seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  failures += failed.length
  const outcomes = Object.entries(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(', ')
  console.log(`${failed.length === 0 ? 'ok  ' : 'FAIL'} ${attack.name}: ${runs} runs, ${outcomes}; ${attack.summary}`)
  for (const line of failed.slice(0, 5)) console.log(`     ${line}`)
}
if (failures > 0) process.exitCode = 1
