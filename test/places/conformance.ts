/** Every place takes the same exam: `npm run conformance`. Prints a Markdown table, and fails where a place does. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { examinations } from './examinations.js'
import type { Result } from './result.js'

const HELP = `
The storage contract, 200 questions, the floors, forgetting, and kills, in every place that runs here. Needs
npm run build. The runtimes and drivers that agidb itself does not need are installed into the cache of the user.

  npm run conformance -- [--only NAME] [--without-chromium] [--json FILE]

  --only NAME          the places whose names contain it
  --without-chromium   not the pages of e2e, which take minutes, since the demo is built
  --json FILE          writes the results
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'without-chromium': { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

const results: Result[] = []
for await (const result of examinations({
  only: values.only,
  chromium: !values['without-chromium'],
  folder: tmpdir(),
})) {
  results.push(result)
  console.error(`${result.place}: ${result.error ?? 'done'}`)
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`)

/** What most places answer is what all must. */
const wanted = {
  recall: common(results.map(({ recall }) => recall)),
  floors: common(results.map(({ floors }) => floors)),
}
console.log(
  '| place | runtime | contract | 200 questions | floors | forgotten as a twin | bytes that are left | kills |',
)
console.log('|---|---|---|---|---|---|---|---|')
for (const result of results) console.log(`| ${cells(result).join(' | ')} |`)
process.exit(results.every(isAsWanted) ? 0 : 1)

function cells(result: Result): string[] {
  const { place, runtime, error, contract, unlike, leftBytes, kills } = result
  if (error !== undefined) return [place, runtime, error.split('\n')[0], '', '', '', '', '']
  const same = (value: string | undefined, wanted: string | undefined) =>
    value === undefined ? '–' : value === wanted ? 'same' : 'other'
  return [
    place,
    runtime,
    contract === undefined ? '–' : `${contract.passed} of ${contract.passed + contract.failed.length}`,
    same(result.recall, wanted.recall),
    same(result.floors, wanted.floors),
    unlike === undefined ? '–' : unlike === 0 ? 'yes' : `${unlike} of 200 differ`,
    leftBytes === undefined ? '–' : leftBytes ? 'some' : 'none',
    kills === undefined ? '–' : `${kills.lost} of ${kills.acknowledged} commits lost, ${kills.kills} kills`,
  ]
}

function isAsWanted({ error, contract, recall, floors, unlike, kills }: Result): boolean {
  return (
    error === undefined &&
    (contract === undefined || contract.failed.length === 0) &&
    (recall === undefined || recall === wanted.recall) &&
    (floors === undefined || floors === wanted.floors) &&
    (unlike ?? 0) === 0 &&
    (kills?.lost ?? 0) === 0
  )
}

/** The value that is there most often. */
function common(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
