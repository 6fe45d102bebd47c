/** How often the right section of a document is among the first results, and how long documents take to store. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entry } from '../src/api/entry.js'
import { documentsIn } from '../src/cli/documents-in.js'
import { readDocument } from '../src/cli/read-document.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { commandLine } from './command.js'
import type { Contender } from './recall/exam.js'
import { MiniLM, miniLMAlone } from './recall/peers/minilm.js'
import { miniSearches } from './recall/peers/minisearch.js'
import { oramaHybrid, oramaTexts } from './recall/peers/orama.js'
import { isIn, type SectionQuestion } from './recall/sections.js'
import { benchEncoder, encoded } from './recall/sentences.js'
import { spread } from '../src/memory/documents/spread.js'
import { tabular, type TableRow } from './tabular.js'

const HELP = `
Stores documents that this project and its packages carry, and asks questions whose answer is one section of them. The
questions avoid the words of its heading. A result counts where it is the section, or a passage or a summary in it.

  npm run bench:documents -- [--questions FILE] [--root FOLDER] [--minilm] [--misses]

  --questions FILE  JSON: a list of { set, question, source, heading }; sources end as the paths of the files do.
                    Default: those of this repository
  --root FOLDER     where the files lie that are asked about. Default: this repository and its packages
  --minilm          also agidb with MiniLM as its sentence encoder, MiniLM alone, and Orama's hybrid search with it;
                    tools/setup.sh fetches the model
  --misses          prints the questions whose section is not among the first 5
`
/** Documents of the repository, and packages whose readme is one: all MIT, ISC or Apache-2.0. */
const DOCUMENTS = [
  'docs',
  ...['commander/Readme.md', 'idb/README.md', 'comlink/README.md', 'semver/README.md', 'picomatch/README.md'].map(
    (file) => `node_modules/${file}`,
  ),
  'node_modules/magic-string/README.md',
]
/** Results of another program for each that counts: of one section only the best does, as in a search of entries. */
const PEER_DEPTH = 4
/** Written from what this bench prints: a question about it would find itself. */
const LEFT_OUT = /docs\/(?:documents|identity)\.md$/

const { values } = commandLine(HELP, {
  options: {
    questions: { type: 'string' },
    root: { type: 'string' },
    misses: { type: 'boolean', default: false },
    minilm: { type: 'boolean', default: false },
  },
})
const HERE = fileURLToPath(new URL('..', import.meta.url))
const MODEL = join(HERE, 'node_modules/.cache/agidb-models/minilm-int8.onnx')
const TOKENIZER = join(HERE, 'test/unit/models/fixtures/tokenizer.json')
const questions = JSON.parse(
  readFileSync(values.questions ?? join(HERE, 'bench/data/document-questions.json'), 'utf8'),
) as readonly SectionQuestion[]
const paths = values.root === undefined ? DOCUMENTS.map((path) => join(HERE, path)) : [values.root]
const files = documentsIn(paths).filter((file) => !LEFT_OUT.test(file))

const db = await Agidb.open({ storage: 'memory', extract: 'none' })
const encoding = values.minilm
  ? await Agidb.open({ storage: 'memory', extract: 'none', encoder: await benchEncoder() })
  : undefined
try {
  const texts = await Promise.all(files.map(async (file) => (await readDocument(file, undefined)).document))
  await db.entries.ingest('Warm-up.', { source: 'warm-up' })
  const started = performance.now()
  let added = 0
  for (const [i, file] of files.entries()) added += (await db.entries.ingest(texts[i], { source: file })).added
  const seconds = (performance.now() - started) / 1000
  const again = performance.now()
  for (const [i, file] of files.entries()) await db.entries.ingest(texts[i], { source: file })
  const rate = (added / seconds).toFixed(0)
  console.log(
    `${files.length} documents, ${added} entries in ${seconds.toFixed(2)} s: ${rate} a second; ` +
      `the same again in ${((performance.now() - again) / 1000).toFixed(3)} s`,
  )
  const entries = [...new Map((await all()).map((entry) => [entry.id, entry])).values()]
  const raw = entries.filter(({ type }) => type === 'raw')
  const ways: Record<string, (question: string) => Promise<readonly Entry[]>> = { agidb: searching(db) }
  if (encoding !== undefined) {
    for (const [i, file] of files.entries()) await encoding.entries.ingest(texts[i], { source: file })
    await encoded(encoding)
    ways['agidb with MiniLM'] = searching(encoding)
  }
  for (const contender of await peersOf(values.minilm === true)) {
    const observations = raw.map(({ content, path }) => ({ text: `${path}\n${content}` }))
    const filled = await contender.fill({ name: 'documents', observations, questions: [], unanswerable: [] })
    ways[contender.name] = async (question) => {
      const found = (await filled.rank(question, 10 * PEER_DEPTH)).map(({ index }) => raw[index])
      return spread(found, 1).slice(0, 10)
    }
  }
  const rows: TableRow[] = []
  for (const [name, find] of Object.entries(ways)) {
    const ranks = await Promise.all(questions.map(async (asked) => rankOf(await find(asked.question), asked)))
    for (const set of ['all', ...new Set(questions.map((asked) => asked.set))]) {
      const of = ranks.filter((_, i) => set === 'all' || questions[i].set === set)
      const within = (k: number) => (of.filter((rank) => rank < k).length / of.length).toFixed(3)
      const mrr = of.reduce((sum, rank) => sum + (rank < 10 ? 1 / (rank + 1) : 0), 0) / of.length
      const figures = { questions: of.length, 'R@1': within(1), 'R@5': within(5), 'R@10': within(10) }
      rows.push({ name: `${name}, ${set}`, cells: { ...figures, MRR: mrr.toFixed(3) } })
    }
    if (values.misses && name === 'agidb')
      for (const [i, asked] of questions.entries())
        if (ranks[i] >= 5) console.log(`miss (${ranks[i] + 1}): ${asked.question} → ${asked.source}, ${asked.heading}`)
  }
  const columns = ['questions', 'R@1', 'R@5', 'R@10', 'MRR']
  console.log(tabular({ title: 'The right section among the first results', columns, rows }))
} finally {
  await db.close()
  await encoding?.close()
}

/** The ten best entries of a memory. */
function searching({ entries }: Agidb): (question: string) => Promise<readonly Entry[]> {
  return async (question) =>
    (await entries.search(question, { k: 10, childrenK: 0, alpha: 0 })).map(({ entry }) => entry)
}

/** What is asked the same of the same passages, the headings above each before it. */
async function peersOf(minilm: boolean): Promise<Contender[]> {
  const byWords = [...miniSearches, ...oramaTexts].filter(({ name }) => name.includes('stems'))
  if (!minilm) return byWords
  const model = await MiniLM.read(MODEL, TOKENIZER)
  return [...byWords, oramaHybrid(model), miniLMAlone(model)]
}

async function all(): Promise<Entry[]> {
  const found: Entry[] = []
  for (const { source } of await db.entries.sources())
    if (source !== 'warm-up') found.push(...(await db.entries.browse({ source, limit: 1_000 })))
  return found
}

/** The place of the first result that is in the section, from 0; 10 where none is. */
function rankOf(found: readonly Entry[], section: SectionQuestion): number {
  const rank = found.findIndex((entry) => isIn(entry, section))
  return rank < 0 ? 10 : rank
}
