/** What the graphs add to a recall, what they weigh, and what time they take. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { commandLine, UsageError } from './command.js'
import { thisMachine } from './machine.js'
import { tabular, type Table } from './tabular.js'

const HELP = `
What the graphs find that no likeness finds, what they weigh, and what time they take.

  npm run bench:graph -- [--only quality,sizes,speed] [--no-minilm] [--json FILE]

  quality   60 questions that need several turns, or their order (bench/data/multi-hop): with all graphs, without each,
            without any; beside BM25, MiniLM, and PageRank over MiniLM
  sizes     bytes of each graph, beside what its layout comes to on paper
  speed     a recall with and without graphs, in turns in one run

  --counts 100000,1000000   episodes, for sizes
  --episodes 100000         episodes, for speed; a list
  --no-minilm               quality without MiniLM, which tools/setup.sh fetches
  --json FILE               writes all figures
`

const { values } = commandLine(HELP, {
  options: {
    only: { type: 'string', default: 'quality,sizes,speed' },
    counts: { type: 'string', default: '100000,1000000' },
    episodes: { type: 'string', default: '100000' },
    'no-minilm': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const sections: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  quality: async () => {
    const { multiHopQuality } = await import('./graph/quality.js')
    return multiHopQuality(
      values['no-minilm']
        ? undefined
        : {
            graph: here('../node_modules/.cache/agidb-models/minilm-int8.onnx'),
            tokenizer: here('../test/unit/models/fixtures/tokenizer.json'),
          },
    )
  },
  sizes: async () => [await (await import('./graph/sizes.js')).graphSizes(numbers('counts', values.counts))],
  speed: async () => {
    const asked = JSON.parse(await readFile(here('data/apollo13-questions.json'), 'utf8')) as { question: string }[]
    const cues = asked.map(({ question }) => question)
    const { graphSpeed } = await import('./graph/speed.js')
    return [await graphSpeed(here('../demo/data/apollo13.jsonl'), numbers('episodes', values.episodes), cues)]
  },
}

const tables: Table[] = []
for (const name of values.only.split(',')) {
  if (!(name in sections))
    throw new UsageError(`there is no section ${name}; known: ${Object.keys(sections).join(', ')}`)
  for (const table of await sections[name]()) {
    tables.push(table)
    console.log(`\n${tabular(table)}`)
  }
}
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ machine: thisMachine(), tables }, null, 2)}\n`)

function numbers(option: string, list: string): number[] {
  const counts = list.split(',').map(Number)
  if (counts.some((count) => !Number.isInteger(count) || count < 1))
    throw new UsageError(`--${option} takes whole numbers from 1 on, with commas between them`)
  return counts
}
