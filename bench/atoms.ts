/** What a memory comes to know of conversations, beside what a reader says of each piece of it. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SemanticAtom } from '../src/api/atom.js'
import { Agidb } from '../src/runtimes/node/index.js'
import { commandLine } from './command.js'
import { readLocomo } from './recall/locomo.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const PAGE = here('../docs/atoms-of-conversations.md')

const HELP = `
The semantic atoms that consolidate() makes of each conversation of bench/data, a memory each, with what a reader said
of each (bench/data/atoms-judged.json): that it is wrong, true, or true and worth knowing; and how many concepts there
are. Ends with an error where an atom was not judged, or fewer are worth knowing than the aim.

  npm run bench:atoms -- [--write] [--evidence] [--data FOLDER]

  --write      writes docs/atoms-of-conversations.md
  --evidence   prints the turns that each rests on, to be read before it is judged
  --data       other conversations, LoCoMo-shaped json: their atoms are printed, and nothing is judged
`
const VERDICTS = ['worth knowing', 'true', 'wrong'] as const
type Verdict = (typeof VERDICTS)[number]
/** Atoms that are true and worth knowing. */
const AIM = 60
/** Turns that are printed of each. */
const SHOWN = 4

interface Row {
  readonly conversation: string
  readonly statement: string
  readonly support: number
  readonly verdict?: Verdict
}

const { values } = commandLine(HELP, {
  options: {
    write: { type: 'boolean', default: false },
    evidence: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
})

const judged = JSON.parse(await readFile(here('data/atoms-judged.json'), 'utf8')) as Record<
  string,
  Record<string, Verdict>
>
const rows: Row[] = []
let [turns, conversations, concepts] = [0, 0, 0]
for (const { name, observations } of await readLocomo(values.data ?? here('data/conversations'))) {
  turns += observations.length
  conversations++
  const conversation = name.replace(/\.json$/, '')
  const db = await Agidb.open({ storage: 'memory', seed: 1, extract: 'rules', autoConsolidate: false })
  await db.observeMany(observations)
  await db.consolidate()
  concepts += (await db.concepts({ limit: 10_000 })).length
  for (const atom of await db.semanticAtoms({ limit: 10_000 })) {
    const { statement, support } = atom
    rows.push({ conversation, statement, support, verdict: judged[conversation]?.[statement] })
    if (values.evidence || values.data !== undefined) await printEvidence(db, conversation, atom)
  }
  await db.close()
}
if (values.data !== undefined) process.exit()
const unjudged = rows.filter(({ verdict }) => verdict === undefined)
const counts = VERDICTS.map((verdict) => rows.filter((row) => row.verdict === verdict).length)
const total = [
  `${conversations} conversations of ${turns} turns: ${concepts} concepts and ${rows.length} atoms.`,
  `Atoms: ${counts[0]} true and worth knowing, ${counts[1]} true and not worth knowing, ${counts[2]} wrong.`,
].join('\n')
console.log(total)
if (values.write) await writeFile(PAGE, page(total, rows))
for (const { conversation, statement } of unjudged) console.error(`not judged: ${conversation}: ${statement}`)
if (unjudged.length > 0 || counts[0] < AIM) process.exitCode = 1

async function printEvidence(
  db: Agidb,
  conversation: string,
  { statement, support, provenance }: SemanticAtom,
): Promise<void> {
  console.log(`\n${conversation}: ${statement} (${support})`)
  for (const id of provenance.episodes.slice(0, SHOWN)) {
    const { speaker, text } = (await db.getEpisode(id))!
    console.log(`  ${speaker}: ${text}`)
  }
}

function page(total: string, rows: readonly Row[]): string {
  return [
    '# Atoms of conversations',
    '',
    'What `consolidate()` makes of the conversations of `bench/data/conversations`, a memory each, with the built-in',
    'rules: all of it, the best supported first. Each was judged by reading the turns that it rests on',
    '(`bench/data/atoms-judged.json`): whether they say so, and whether somebody who talks with these people should',
    'know it. The lists of words that tell what goes on being true were written while looking at these conversations,',
    'so expect less of others: of 52 atoms of two conversations of LoCoMo (26 and 42), which were read after that, 33',
    'are true and worth knowing (`--data`). Written by `npm run bench:atoms -- --write`.',
    '',
    total,
    '',
    '| conversation | atom | support | verdict |',
    '|---|---|--:|---|',
    ...rows.map(
      ({ conversation, statement, support, verdict }) =>
        `| ${conversation} | ${statement} | ${support} | ${verdict ?? 'not judged'} |`,
    ),
    '',
  ].join('\n')
}
