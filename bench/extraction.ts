/** How well the built-in extractor finds what readers find, and how fast it is. */
import { readFile } from 'node:fs/promises'
import type { Extractor } from '../src/api/extractor.js'
import { rulesExtractor } from '../src/extraction/rules/extractor.js'
import { commandLine } from './command.js'
import { annotatedTexts } from './extraction/annotated.js'
import { type Score, score } from './extraction/score.js'

const HELP = `
How well the extractor "rules" finds the statements, entities and times of sentences that were annotated by hand
(bench/data/extraction). Half of them were held back while the rules were written.

  npm run bench:extraction -- [--held] [--failures] [--speed]

  --held       only the half that was held back; without it, both
  --failures   what went wrong, of the open half alone
  --speed      texts a second, over the turns of bench/data/conversations
`

const { values } = commandLine(HELP, {
  options: {
    held: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
  },
})

const extractor = await rulesExtractor()
const texts = await annotatedTexts()
for (const half of values.held ? (['held'] as const) : (['open', 'held'] as const)) {
  const chosen = texts.filter((text) => text.half === half)
  const result = score(
    chosen,
    await extractor.extract(
      chosen.map(({ text }) => text),
      chosen,
    ),
  )
  print(half, result)
  if (values.failures && half === 'open') console.log(result.failures.join('\n'))
}
if (values.speed) await speed(extractor)

function print(half: string, { failures: _, entities, ...shares }: Score): void {
  const share = (value: number) => value.toFixed(3)
  console.log(`${half} half, ${shares.texts} texts`)
  console.log(`  triples: precision ${share(shares.precision)}, recall ${share(shares.recall)}`)
  console.log(`  with optional ones counted as wrong: precision ${share(shares.strictPrecision)}`)
  console.log(`  texts that say nothing and yield a statement: ${share(shares.falseAlarms)}`)
  console.log(
    `  entities, F1: ${Object.entries(entities)
      .map(([type, value]) => `${type} ${share(value)}`)
      .join(', ')}`,
  )
  console.log(
    `  times resolved to their first day: ${share(shares.timesByDay)}, to both ends: ${share(shares.timesExact)}`,
  )
}

async function speed(extractor: Extractor): Promise<void> {
  const turns: { speaker: string; text: string }[] = []
  for (const name of ['allotment', 'assistant', 'flatmates', 'harvest', 'icebase', 'tide', 'workshop']) {
    const file = new URL(`data/conversations/${name}.json`, import.meta.url)
    const conversation = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
    for (const [key, session] of Object.entries(conversation))
      if (/^session_\d+$/.test(key)) turns.push(...(session as typeof turns))
  }
  const contexts = turns.map(({ speaker }, i) => ({
    speaker,
    at: '2024-03-15T10:00:00Z',
    before: turns.slice(Math.max(0, i - 2), i),
  }))
  const texts = turns.map(({ text }) => text)
  for (const round of ['first', 'second', 'third']) {
    const start = performance.now()
    const found = await extractor.extract(texts, contexts)
    const seconds = (performance.now() - start) / 1_000
    const statements = found.reduce((sum, { triples }) => sum + triples.length, 0)
    console.log(`${round} pass: ${Math.round(texts.length / seconds)} texts a second, ${statements} statements`)
  }
}
