/** Whether two versions of the library answer the same, by hashes of all that they answer. */
import { readFile, writeFile } from 'node:fs/promises'
import { commandLine, UsageError } from './command.js'
import { HERE, libraryOf, type Library } from './library.js'
import { canonical } from './same/canonical.js'
import { apollo, locomo } from './same/exams.js'
import { fixtures } from './same/fixtures.js'
import { compare, hashed, together, type Hashes } from './same/hashes.js'
import { histories } from './same/histories.js'
import type { Unit } from './same/unit.js'

const HELP = `
One hash for all answers of each group. Clock, ids and seeds are fixed, so two versions that answer the same have the
same hashes. Errors count by their code, files and exports by their bytes.

  npm run bench:same-answers -- --data <folder of LoCoMo-shaped json> [--histories 2000] [--out FILE]

  locomo      each question, plainly and with other options, in three modes; then all floors and the files
  apollo      the same for bench/data/apollo13-questions.json
  histories   random histories of the floors: each step, all floors before and after opening again, exports, files
  fixtures    each database in a folder test/**/fixtures

  --only NAME         one of the groups; repeat it for several. Without --data, locomo is left out
  --part 2/4          the second of four parts of each group, for several processes or a short time
  --histories N       how many. Default 2000
  --library FOLDER    the checkout whose library answers. Default: this one
  --built             its built package; default: its sources
  --out FILE          writes the hash of each answer; what the file has of other groups and parts stays
  --against FILE      compares with what --out wrote, names what differs, and fails if anything does
  --show NAME         prints an answer that --against named, to compare its text
`

const GROUPS = ['locomo', 'apollo', 'histories', 'fixtures'] as const
type Group = (typeof GROUPS)[number]
type Run = Partial<Record<Group, Hashes>>

/** How many names of answers that differ are printed. */
const LISTED = 20

const { values } = commandLine(HELP, {
  options: {
    data: { type: 'string' },
    only: { type: 'string', multiple: true },
    part: { type: 'string', default: '1/1' },
    histories: { type: 'string', default: '2000' },
    library: { type: 'string', default: HERE },
    built: { type: 'boolean', default: false },
    out: { type: 'string' },
    against: { type: 'string' },
    show: { type: 'string' },
  },
})

const isPart = values.part !== '1/1'
const library = await libraryOf(values.library, values.built)
if (values.show !== undefined) await show(library, values.show)
else await compareAll(library)

async function compareAll(library: Library): Promise<void> {
  const before = values.against === undefined ? undefined : await readRun(values.against)
  const run: Run = {}
  for (const group of chosen()) run[group] = await runGroup(library, group)
  if (values.out !== undefined) await keep(values.out, run)
  if (before !== undefined && !agree(before, run)) process.exitCode = 1
}

async function runGroup(library: Library, group: Group): Promise<Hashes> {
  const units = partOf(await unitsOf(group))
  const began = performance.now()
  const seconds = () => ((performance.now() - began) / 1000).toFixed(0)
  let done = 0
  let told = began
  const hashes = await hashed(library, units, () => {
    done++
    if (performance.now() - told < 5000) return
    told = performance.now()
    console.error(`  ${group}: ${done} of ${units.length}, ${seconds()} s`)
  })
  print(group, hashes, `${isPart ? ` of part ${values.part}` : ''}, ${seconds()} s`)
  return hashes
}

function print(group: Group, hashes: Hashes, rest: string): void {
  console.log(`${group.padEnd(10)} ${together(hashes)}  ${Object.keys(hashes).length} answers${rest}`)
}

function chosen(): readonly Group[] {
  const unknown = values.only?.find((name) => !GROUPS.includes(name as Group))
  const known = GROUPS.join(', ')
  if (unknown !== undefined) throw new UsageError(`there is no group ${JSON.stringify(unknown)}; known: ${known}`)
  return GROUPS.filter((group) => values.only?.includes(group) ?? (group !== 'locomo' || values.data !== undefined))
}

async function unitsOf(group: Group): Promise<Unit[]> {
  const count = Number(values.histories)
  if (!Number.isInteger(count) || count < 1) throw new UsageError('--histories takes a whole number above 0')
  if (group === 'locomo' && values.data === undefined) throw new UsageError('locomo needs --data FOLDER')
  return { locomo: () => locomo(values.data!), apollo, histories: async () => histories(count), fixtures }[group]()
}

function partOf(units: readonly Unit[]): Unit[] {
  const [part, parts] = values.part.split('/').map(Number)
  if (!(part >= 1 && part <= parts)) throw new UsageError('--part takes a part and how many there are, such as 2/4')
  return units.filter((_, i) => i % parts === part - 1)
}

async function readRun(file: string): Promise<Run> {
  return JSON.parse(await readFile(file, 'utf8')) as Run
}

/** Adds to what a file has. */
async function keep(file: string, run: Run): Promise<void> {
  const kept = await readRun(file).catch((error: NodeJS.ErrnoException): Run => {
    if (error.code === 'ENOENT') return {}
    throw error
  })
  for (const group of chosen()) {
    kept[group] = { ...kept[group], ...run[group] }
    if (isPart) print(group, kept[group]!, ` in ${file}`)
  }
  await writeFile(file, `${JSON.stringify(kept, null, 1)}\n`)
}

/** Prints how a run differs from one before, of what this one ran. */
function agree(before: Run, run: Run): boolean {
  let agreed = true
  for (const group of chosen()) {
    const { other, missing, same } = compare(before[group] ?? {}, run[group] ?? {})
    const differing = [...other, ...(isPart ? missing.filter((name) => name in run[group]!) : missing)]
    console.log(`${group.padEnd(10)} ${same} the same, ${differing.length} differ or are missing`)
    for (const name of differing.slice(0, LISTED)) console.log(`  ${group}/${name}`)
    if (differing.length > LISTED) console.log(`  and ${differing.length - LISTED} more`)
    agreed &&= differing.length === 0 && same > 0
  }
  return agreed
}

/** Prints the text of one answer, with the group and unit before its name. */
async function show(library: Library, wanted: string): Promise<void> {
  const group = GROUPS.find((name) => wanted.startsWith(`${name}/`))
  if (group === undefined) throw new UsageError('--show takes the name of an answer, such as "histories/17: told"')
  for (const unit of await unitsOf(group)) {
    if (!wanted.startsWith(`${group}/${unit.name}: `)) continue
    for await (const { name, value } of unit.answers(library)) {
      if (wanted !== `${group}/${unit.name}: ${name}`) continue
      console.log(JSON.stringify(JSON.parse(canonical(value)), null, 2))
      return
    }
  }
  throw new UsageError(`there is no answer ${JSON.stringify(wanted)}`)
}
