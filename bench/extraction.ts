/** How well the built-in extractor finds what readers find, and how fast it is. */
import { fileURLToPath } from 'node:url'
import type { Extractor } from '../src/api/extractor.js'
import { rulesExtractor } from '../src/extraction/rules/extractor.js'
import { chromiumExtraction } from './chromium.js'
import { commandLine } from './command.js'
import { annotatedTexts } from './extraction/annotated.js'
import { type Background, readInBackground } from './extraction/background.js'
import { type Score, score } from './extraction/score.js'
import { Agidb } from './library.js'
import { readLocomo } from './recall/locomo.js'
import { quantile } from './section.js'

const HELP = `
How well the extractor "rules" finds the statements, entities and times of sentences that were annotated by hand
(bench/data/extraction). Half of them were held back while the rules were written.

  npm run bench:extraction -- [--held] [--failures] [--speed] [--background]

  --held       only the half that was held back; without it, both
  --failures   what went wrong, of the open half alone
  --speed      texts a second, over the turns of bench/data/conversations
  --background texts a second behind observing, and recalls while they are read, in Node and in Chromium; nothing else.
               Over the turns of bench/data/varied-conversations. Node with AGIDB_BUILT=1 runs what is built
`

const { values } = commandLine(HELP, {
  options: {
    held: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
    background: { type: 'boolean', default: false },
  },
})

if (values.background) await background()
else await quality()

/** Reads behind observing and asking, in both places. */
async function background(): Promise<void> {
  const exams = await readLocomo(fileURLToPath(new URL('data/varied-conversations', import.meta.url)))
  const texts = exams.flatMap(({ observations }) => observations)
  // Every tenth question: of all conversations.
  const cues = exams.flatMap(({ questions }) => questions.map(({ cue }) => cue)).filter((_, i) => i % 10 === 0)
  const db = await Agidb.open({ storage: 'memory' })
  printBackground('Node', await readInBackground(db, texts, cues))
  await db.close()
  printBackground('Chromium', await chromiumExtraction(texts, cues))
}

/** Says how well sentences are read, and how fast. */
async function quality(): Promise<void> {
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
}

function printBackground(place: string, { textsPerSecond, alone, meanwhile }: Background): void {
  const ms = (times: readonly number[]) => [0.5, 0.95].map((at) => quantile(times, at).toFixed(1)).join(', ')
  const ratio = quantile(meanwhile, 0.95) / quantile(alone, 0.95)
  console.log(`${place}: ${Math.round(textsPerSecond)} texts a second in the background`)
  console.log(`  recall p50, p95 ms: ${ms(alone)} (${alone.length} recalls); while texts are read: ${ms(meanwhile)}`)
  console.log(`  (${meanwhile.length}); p95 ${ratio.toFixed(2)} of that otherwise`)
}

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
  const exams = await readLocomo(fileURLToPath(new URL('data/conversations', import.meta.url)))
  const turns = exams.flatMap(({ observations }) => observations)
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
