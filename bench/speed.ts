/** Speed, measured side by side in one run. A ratio is to the base row of its section. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { commandLine, UsageError } from './command.js'
import { thisMachine } from './machine.js'
import type { Kind } from './peers/data.js'
import type { Section } from './section.js'
import { ratiosOf, type Place } from './sizes.js'
import { tabular, type Table } from './tabular.js'
import { readTurns } from './turns.js'

const HELP = `
Speed, measured side by side in one run. A ratio is to the base row of its section, in sizes to
MiniSearch with stems.

  npm run bench:speed -- [--only kernel,ranking,node,durability,chromium] [--signatures 98304] [--json FILE]

Further sections take minutes to hours, or gigabytes. They run only when --only names them:

  workers   the scan of a million signatures in two workers (5 GB)
  heaviest  what a scan at the heaviest dimensions of a question finds
  postings  the posting lists beside naive ones
  ingest    observing beside appending the same bytes to a file and flushing them
  growth    how near grown texts come to real ones
  sizes     the engine from end to end in Node and in Chromium as it grows, beside MiniSearch with stems
  peers     this library beside others (npm ci --prefix bench/peers installs them)

  --sizes 10000,100000                how many turns
  --data FILE.jsonl                   more turns to grow from, beside the transcript of Apollo 13
  --kinds bits,random,latents,texts   what peers are compared on
  --places node,chromium              where kernel, ingest and sizes are measured
  --queries 50                        how many questions
  --limit 300  --memory 4096          seconds that a peer may build, and MB that it may take
  --after FILE                        a --json of fewer items: a peer that took too long there is left out
  --json FILE                         writes all figures; npx tsx bench/performance.ts FILE... puts them into docs

After npm run build, AGIDB_BUILT=1 in the environment makes ingest and sizes in Node measure the built library with its
threads: the sources have none there.
`

const { values } = commandLine(HELP, {
  options: {
    only: { type: 'string', default: 'kernel,ranking,node,durability,chromium' },
    json: { type: 'string' },
    signatures: { type: 'string', default: '98304' },
    sizes: { type: 'string', default: '10000,100000' },
    data: { type: 'string', multiple: true, default: [] },
    kinds: { type: 'string', default: 'bits,random,latents,texts' },
    places: { type: 'string', default: 'node,chromium' },
    queries: { type: 'string', default: '50' },
    limit: { type: 'string', default: '300' },
    memory: { type: 'string', default: '4096' },
    after: { type: 'string', multiple: true, default: [] },
  },
})

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const transcripts = [here('../demo/data/apollo13.jsonl'), ...values.data]
const asked = JSON.parse(await readFile(here('data/apollo13-questions.json'), 'utf8')) as { question: string }[]
const questions = asked.map(({ question }) => question)

const benches: Record<string, () => Promise<Section | Section[]>> = {
  kernel: kernels,
  workers: async () => (await import('./kernel-workers.js')).kernelWorkers(),
  ranking: async () => (await import('./ranking.js')).ranking(here('../demo/data/apollo13.jsonl'), questions),
  node: async () => (await import('./node.js')).nodeEndToEnd(here('../demo/data/apollo13.jsonl'), questions),
  durability: async () => (await import('./durability.js')).durabilities(),
  chromium: async () => (await import('./chromium.js')).chromiumEndToEnd(questions),
}

/** Those that take minutes to hours, a table at a time. */
const long: Record<string, () => AsyncIterable<Table>> = {
  ingest: async function* () {
    yield* (await import('./ingest.js')).ingestion({
      source: await source(),
      places: values.places.split(',') as Place[],
      sizes: sizes(),
    })
  },
  growth: async function* () {
    yield await (await import('./likeness.js')).likeness(await source())
  },
  heaviest: async function* () {
    yield* (await import('./heaviest.js')).heaviestDimensions(await source(), sizes(), Number(values.queries))
  },
  peers: async function* () {
    const kinds = values.kinds.split(',') as Kind[]
    const limits = { buildS: Number(values.limit), answerS: 60, memoryMB: Number(values.memory) }
    yield* (await import('./peers.js')).besidePeers({
      source: await source(),
      kinds,
      sizes: sizes(),
      queries: Number(values.queries),
      limits,
      before: await earlier(),
    })
  },
  postings: async function* () {
    yield* (await import('./postings.js')).postingLists(await source(), sizes(), Number(values.queries))
  },
  sizes: async function* () {
    const places = values.places.split(',') as Place[]
    yield* (await import('./sizes.js')).endToEnd({
      source: await source(),
      transcripts,
      places,
      sizes: sizes(),
      queries: Number(values.queries),
    })
  },
}

const sections: Section[] = []
const tables: Table[] = []
for (const name of values.only.split(',')) {
  if (name in long) {
    for await (const table of long[name]()) {
      tables.push(table)
      console.log(`\n${tabular(table)}`)
      await write()
    }
    continue
  }
  const bench = benches[name]
  if (bench === undefined) {
    const known = [...Object.keys(benches), ...Object.keys(long)].join(', ')
    throw new UsageError(`there is no bench ${JSON.stringify(name)}; known are ${known}`)
  }
  for (const section of [await bench()].flat()) {
    sections.push(section)
    print(section)
  }
}
await write()

async function kernels(): Promise<Section[]> {
  const [{ kernelScan }, { chromiumScans }] = await Promise.all([import('./kernel-scan.js'), import('./chromium.js')])
  const signatures = Number(values.signatures)
  if (!values.places.includes('chromium')) return kernelScan({ signatures })
  return chromiumScans(signatures, (chromium) => kernelScan({ signatures, chromium }))
}

async function earlier(): Promise<Table[]> {
  const files = await Promise.all(values.after.map((path) => readFile(path, 'utf8')))
  return files.flatMap((file) => (JSON.parse(file) as { tables: Table[] }).tables)
}

function source() {
  return readTurns(...transcripts)
}

function sizes(): number[] {
  return values.sizes.split(',').map(Number)
}

async function write(): Promise<void> {
  if (values.json === undefined) return
  const ratios = Object.fromEntries(
    sections.flatMap(({ rows }) =>
      rows.filter(({ ratio }) => ratio !== undefined).map(({ name, key = name, ratio }) => [key, ratio]),
    ),
  )
  Object.assign(ratios, ratiosOf(tables))
  await writeFile(values.json, JSON.stringify({ machine: thisMachine(), ratios, sections, tables }, null, 2) + '\n')
}

function print({ title, rows }: Section): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  for (const { name, value, unit, ratio } of rows) {
    const figure = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
    console.log(
      `  ${name.padEnd(width)}  ${figure.padStart(8)} ` +
        `${unit.padEnd(2)}${ratio === undefined ? '' : `  × ${ratio.toFixed(2)}`}`,
    )
  }
}
