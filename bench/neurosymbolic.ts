/** How many statements can be read back from a signature, and how many analogies are drawn, by the public methods. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Agidb as Memory } from '../src/api/agidb.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { chart } from './chart.js'
import { commandLine, UsageError } from './command.js'
import { thisMachine } from './machine.js'
import { analogies } from './neurosymbolic/analogies.js'
import { bundle, keyOf, KNOWN_CONCEPTS, known } from './neurosymbolic/bundles.js'
import { episodes } from './neurosymbolic/episodes.js'
import { bundlePlot } from './plots.js'
import { seeded } from './random.js'
import { tabular, type Table } from './tabular.js'

const HELP = `
Bundles 1 to 20 statements into one signature in a memory of ${KNOWN_CONCEPTS} concepts, and counts which of them, and
which of their fillers, signatureToTriples reads back; reads noise; counts which goals, beliefs and days
signatureToEpisode reads from signatures of episodes; draws analogies over 50 relations.

  npm run bench:neurosymbolic -- [--bundles 100] [--json FILE] [--plot FOLDER]
`

const SIZES = [1, 2, 3, 5, 8, 10, 12, 15, 18, 20]
const NOISE = 200

const { values } = commandLine(HELP, {
  options: { bundles: { type: 'string', default: '100' }, json: { type: 'string' }, plot: { type: 'string' } },
})
const bundles = Number(values.bundles)
if (!(Number.isInteger(bundles) && bundles > 0)) throw new UsageError('--bundles takes a whole number from 1 on')

/** The share of statements and of fillers that are read back, by the number of statements in one signature. */
async function recovered(): Promise<Table> {
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', seed: 1 })
  await db.observeMany(known())
  const random = seeded(1)
  const rows = []
  for (const size of SIZES) {
    const counts = { statements: 0, subjects: 0, predicates: 0, objects: 0, wrong: 0, ms: 0 }
    for (let i = 0; i < bundles; i++) {
      const triples = bundle(size, random)
      const signature = await db.tripleToSignature(triples)
      const started = performance.now()
      const found = (await db.signatureToTriples(signature, { k: 1_000 })).map(({ triple }) => triple)
      counts.ms += performance.now() - started
      const right = shared(triples.map(keyOf), found.map(keyOf))
      counts.statements += right
      counts.wrong += found.length - right
      for (const [role, count] of ROLES)
        counts[count] += shared(
          triples.map((triple) => triple[role]),
          found.map((triple) => triple[role]),
        )
    }
    const share = (count: number) => Number((count / (size * bundles)).toFixed(4))
    const { statements, subjects, predicates, objects, wrong, ms } = counts
    const cells = {
      size,
      statements: share(statements),
      subjects: share(subjects),
      predicates: share(predicates),
      objects: share(objects),
      wrong: share(wrong),
      'ms each': Number((ms / bundles).toFixed(1)),
    }
    rows.push({ name: String(size), cells })
  }
  rows.push({ name: 'noise', cells: await noise(db) })
  await db.close()
  const columns = ['statements', 'subjects', 'predicates', 'objects', 'wrong', 'ms each']
  return { columns, title: `${bundles} bundles of statements each, ${KNOWN_CONCEPTS} concepts: shares read back`, rows }
}

const ROLES = [
  ['subject', 'subjects'],
  ['predicate', 'predicates'],
  ['object', 'objects'],
] as const

/** What is read of signatures that nothing was bundled into. */
async function noise(db: Memory): Promise<Record<string, number>> {
  const random = seeded(2)
  let wrong = 0
  for (let i = 0; i < NOISE; i++) {
    const signature = Uint8Array.from({ length: 1_024 }, () => Math.floor(256 * random()))
    wrong += (await db.signatureToTriples(signature)).length
  }
  return { wrong: wrong / NOISE }
}

/** How many analogies are right: the share whose first answer is, and whose first three have it. */
async function related(): Promise<Table> {
  const { observations, questions } = analogies()
  const db = await Agidb.open({ storage: 'memory', codebook: 'none', extract: 'none', seed: 1 })
  await db.observeMany(observations)
  const ranks: number[] = []
  for (const { a, b, c, d } of questions) {
    const found = (await db.analogy(a, b, c, { k: 10 })).map(({ concept }) => concept)
    ranks.push(found.indexOf(d))
  }
  await db.close()
  const within = (most: number) => ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length
  const cells = {
    questions: questions.length,
    first: within(1),
    'among three': within(3),
    'not among ten': 1 - within(10),
  }
  return { title: 'Analogies over 50 relations', columns: Object.keys(cells), rows: [{ name: 'analogy', cells }] }
}

/** How many of some names are among others, each as often as it stands there. */
function shared(wanted: readonly string[], found: readonly string[]): number {
  const left = [...found]
  return wanted.filter((name) => {
    const at = left.indexOf(name)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }).length
}

const tables = [await recovered(), await episodes(bundles), await related()]
for (const table of tables) console.log(`${tabular(table)}\n`)
const plots = { 'neurosymbolic-cleanup': bundlePlot(tables[0]) }
if (values.plot !== undefined)
  for (const [name, drawn] of Object.entries(plots)) await writeFile(join(values.plot, `${name}.svg`), chart(drawn))
if (values.json !== undefined)
  await writeFile(values.json, `${JSON.stringify({ machine: thisMachine(), tables }, null, 2)}\n`)
