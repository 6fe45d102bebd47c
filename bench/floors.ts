/** What the floors promise, measured. Ends with an error if a promise is broken. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { commandLine, UsageError } from './command.js'
import { isKept, printed, type Section } from './floors/figures.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const HELP = `
What the floors promise, measured. Ends with an error if a promise is broken.

  npm run bench:floors -- [--only goals,news,surprise,consolidation] [--short] [--data FOLDER] [--json FILE]

  --data FOLDER  LoCoMo-shaped json (default: the conversations in bench/data)
  --short        a part of each set, and no consolidation, which measures time: a minute. npm run verify runs it
  --json FILE    writes all figures
`

/**
 * Of what the short form takes so many: turns of conversations, lines of the transcript, conversations with questions.
 */
const SHORT = { turns: 300, lines: 2_000, conversations: 1 }

const { values } = commandLine(HELP, {
  options: {
    only: { type: 'string' },
    data: { type: 'string', default: here('data/conversations') },
    json: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
})

const part = values.short ? SHORT : {}
const benches: Record<string, () => Promise<Section[]>> = {
  goals: async () => (await import('./floors/goals.js')).goals(here('data/goal-lift.json'), values.data, part),
  news: async () => {
    const files = {
      halves: here('data/news.json'),
      chosen: here('data/news-chosen.json'),
      fresh: here('data/news-fresh.json'),
      turns: here('data/chat-turns.json'),
    }
    const { news } = await import('./floors/news.js')
    return news(files, here('data/conversations'), part)
  },
  surprise: async () => {
    const { surprise } = await import('./floors/surprise.js')
    return surprise(
      here('../demo/data/apollo13.jsonl'),
      here('data/apollo13-surprise.json'),
      here('data/goal-lift.json'),
      part,
    )
  },
  consolidation: async () =>
    (await import('./floors/consolidation.js')).consolidation(here('../demo/data/apollo13.jsonl')),
}

const sections: Section[] = []
const usual = Object.keys(benches).filter((name) => !values.short || name !== 'consolidation')
for (const name of values.only?.split(',') ?? usual) {
  const bench = benches[name]
  if (bench === undefined) {
    const known = Object.keys(benches).join(', ')
    throw new UsageError(`there is no bench ${JSON.stringify(name)}; known are ${known}`)
  }
  for (const section of await bench()) {
    sections.push(section)
    console.log(`\n${printed(section)}`)
  }
}
if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ sections }, null, 2) + '\n')
if (!sections.every(({ figures }) => figures.every(isKept))) process.exitCode = 1
