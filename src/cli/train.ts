import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import type { Agidb } from '../api/agidb.js'
import { AgidbError } from '../base/errors.js'
import { encodeUtf8 } from '../base/utf8.js'
import type { Equipment, Model, Ranker } from '../api/ranker.js'
import { checkRanker } from '../recall/ranking/check.js'
import { FEATURES } from '../recall/ranking/features.js'
import { bundledModels } from '../recall/ranking/bundled.js'
import { forestFor } from '../recall/ranking/rankers.js'
import { answered, difference, heldBack, mean, type Answered, type Difference } from '../training/held-back.js'
import { examplesOf } from '../training/examples.js'
import { readJudgements, type JudgedLine } from '../training/judgements.js'
import { trainModel, type Example } from '../training/train.js'
import { DB_HELP } from './configuration.js'
import { openExistingAlone } from './existing.js'
import { EXIT_HELP, print, printJson } from './output.js'
import { ProgressBar } from './progress-bar.js'
import { rankerOf } from './ranker.js'
import { checkWritable, replaceFile } from './replace.js'
import { printable, terminalOf } from './terminal.js'

interface TrainFlags {
  readonly db: string
  readonly judgements: string
  readonly out?: string
  readonly again?: string
  readonly name?: string
  readonly licence?: string
  readonly json?: boolean
}

/** How one ranker does on held-back questions that have an answer. */
interface Standing {
  readonly name: string
  readonly 'R@10': number
  readonly MRR: number
}

interface Comparison {
  /** The new ranker, then those that were there. */
  readonly standings: readonly Standing[]
  /** The better of those that were there. */
  readonly rival: string
  /** By how much of the MRR the new one is above that. */
  readonly above: Difference
}

/** What a ranker sees of the questions in one memory. */
interface Seen {
  readonly examples: Example[]
  /** How many the memory has. */
  readonly memories: number
  /** Its id. */
  readonly database: string
}

/** Fewer teach nothing that holds; all of them have to fit into main memory at once. */
const QUESTIONS = { least: 30, most: 5_000 }
const PARTS = 5
/** Shares of the work, by what they take. */
const WORK = { looking: 0.1, comparing: 0.4, codebook: 0.3, plain: 0.2 }
const TAKEN = ['free', 'locomo', 'fusion']

/** Adds `agidb train` to the program. */
export function addTrain(program: Command): void {
  program
    .command('train')
    .summary('train a ranker on your own judgements')
    .description(
      'Learns from questions whose answers you know how to rank, and says how the new ranker does on questions ' +
        'that it has not seen, beside those that come with agidb. The database is only read.',
    )
    .option('--db <folder>', `the memory, a folder that agidb remember made; ${DB_HELP}`)
    .requiredOption('--judgements <file>', 'JSON lines: {"cue": "…", "ids": ["…"]}')
    .option('--out <file>', 'the ranker to write, JSON')
    .option('--again <file>', 'a ranker to train again, without the memories that are not there any more')
    .option('--name <name>', 'how stats() will call it (default: as the file)')
    .option('--licence <text>', 'what others may do with it (default: not stated)')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
Each line of the judgements has a cue and the ids of all memories that answer it; agidb recall --json prints ids.
Empty ids, [], mean that no memory answers the cue: confidence is trained to be low for it. Questions with the same
"group", such as a conversation, are held out together; questions without a group are divided into groups.
At least ${QUESTIONS.least} questions with an answer are needed; some hundreds are better.

Example:
  $ agidb train --db memory --judgements judgements.jsonl --out my-ranker.json
  $ agidb recall "what thai place was mentioned?" --db memory --ranker my-ranker.json
  $ agidb train --db memory --judgements judgements.jsonl --again my-ranker.json
${EXIT_HELP}`,
    )
    .action(train)
}

async function train(flags: TrainFlags): Promise<void> {
  const { db: path, judgements: file, json } = flags
  const { out, name, licence } = target(flags)
  if (TAKEN.includes(name)) throw wrong(`a ranker ${name} comes with agidb; give another --name`, { name })
  if (resolve(out) === resolve(file))
    throw wrong(`--out is the file of the judgements, ${file}; give another`, { path: out })
  checkWritable(out)
  const all = readFile(file)
  const judged = flags.again === undefined ? all : await ofStored(path, all)
  checkEnough(file, judged)

  const progress = new ProgressBar(process.stderr, basename(out))
  const said = `${judged.length.toLocaleString('en')} questions`
  let done = 0
  const step = (work: number, share: number) => progress.update({ said, share: done + work * share })
  const end = (work: number) => {
    done += work
  }
  const models: Partial<Record<Equipment, Model>> = {}
  let comparison: Comparison
  let seen: Seen
  try {
    seen = await look(path, 'codebook', file, judged, (share) => step(WORK.looking / 2, share))
    end(WORK.looking / 2)
    checkFound(file, seen.examples)
    comparison = compare(name, seen.examples, judged, (share) => step(WORK.comparing, share))
    end(WORK.comparing)
    models.codebook = learn(seen.examples, (share) => step(WORK.codebook, share))
    end(WORK.codebook)
    const plain = await look(path, 'plain', file, judged, (share) => step(WORK.looking / 2, share))
    end(WORK.looking / 2)
    models.plain = learn(plain.examples, (share) => step(WORK.plain, share))
  } finally {
    progress.clear()
  }
  const answerable = withAnswer(judged).length
  const trainedOn = `${judged.length} questions (${answerable} with an answer) asked of a memory of ${seen.memories}`
  const records = { database: seen.database, ids: [...new Set(judged.flatMap(({ ids }) => ids))] }
  const ranker: Ranker = { format: 'agidb-ranker', version: 1, name, trainedOn, licence, records, models }
  await replaceFile(out, [encodeUtf8(`${JSON.stringify(ranker)}\n`)], 0o666)

  if (json)
    printJson({
      out,
      name,
      trainedOn,
      licence,
      groups: groupsOf(judged).size,
      heldBack: comparison.standings,
      rival: comparison.rival,
      above: comparison.above,
    })
  else show(out, name, trainedOn, groupsOf(judged).size, comparison)
}

/** The file that is written, and what stands in it beside the models. */
function target({ out, again, name, licence }: TrainFlags): { out: string; name: string; licence: string } {
  if (again !== undefined && out !== undefined) throw wrong('give --out or --again, not both', {})
  if (again !== undefined) {
    const ranker = rankerOf(again)
    if (typeof ranker === 'string') throw wrong(`${again} is a ranker of agidb; --again takes a file`, { path: again })
    const before = checkRanker(ranker, FEATURES)
    return { out: again, name: name ?? before.name, licence: licence ?? before.licence }
  }
  if (out === undefined) throw wrong('give --out, the file to write, or --again, the ranker to train again', {})
  return { out, name: name ?? basename(out).replace(/\.json$/, ''), licence: licence ?? 'not stated' }
}

/**
 * The judgements without those memories that are not there any more. One that is left with none is left out: the memory
 * does not say whether it had the answer.
 */
async function ofStored(path: string, judged: readonly JudgedLine[]): Promise<JudgedLine[]> {
  const db = await openExistingAlone(path, { ranker: 'fusion', codebook: 'none' })
  try {
    const stored: JudgedLine[] = []
    for (const line of judged) {
      const found = await Promise.all(line.ids.map((id) => db.getEpisode(id)))
      const ids = line.ids.filter((_, i) => found[i] !== undefined)
      if (ids.length > 0 || line.ids.length === 0) stored.push({ ...line, ids })
    }
    return stored
  } finally {
    await db.close()
  }
}

function readFile(file: string): JudgedLine[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AgidbError(
      'AGIDB_NOT_FOUND',
      `the judgements cannot be read: ${(cause as Error).message}`,
      { path: file },
      { cause },
    )
  }
  try {
    return readJudgements(text)
  } catch (error) {
    if (!(error instanceof AgidbError)) throw error
    throw new AgidbError(error.code, `${file}, ${error.message}`, { ...error.details, path: file }, { cause: error })
  }
}

function checkEnough(file: string, judged: readonly JudgedLine[]): void {
  const enough = withAnswer(judged).length
  if (enough < QUESTIONS.least) {
    throw wrong(
      `${file} has ${enough} questions with an answer; at least ${QUESTIONS.least} are needed, and some ` +
        'hundreds are better',
      { questions: enough },
    )
  }
  if (judged.length > QUESTIONS.most)
    throw wrong(`${file} has ${judged.length} questions; at most ${QUESTIONS.most} are accepted`, {
      questions: judged.length,
    })
  const groups = groupsOf(withAnswer(judged))
  if (groups.size < 2) {
    throw wrong(
      `all questions with an answer in ${file} are of the group ${JSON.stringify([...groups][0])}; two are ` +
        'needed at least, one to learn from and one held back',
    )
  }
}

/** What a ranker sees of each question. */
async function look(
  path: string,
  equipment: Equipment,
  file: string,
  judged: readonly JudgedLine[],
  onProgress: (share: number) => void,
): Promise<Seen> {
  const db = await openExistingAlone(path, { ranker: 'fusion', ...(equipment === 'plain' && { codebook: 'none' }) })
  try {
    await checkIds(db, path, file, judged)
    await db.loaded()
    const examples: Example[] = []
    for (const [i, judgement] of judged.entries()) {
      onProgress(i / judged.length)
      examples.push(...(await examplesOf(db, [judgement], judgement.group)))
    }
    return { examples, memories: (await db.stats()).episodes, database: db.databaseId }
  } finally {
    await db.close()
  }
}

async function checkIds(
  db: Pick<Agidb, 'getEpisode'>,
  path: string,
  file: string,
  judged: readonly JudgedLine[],
): Promise<void> {
  for (const { ids, line } of judged) {
    for (const id of ids) {
      if ((await db.getEpisode(id)) !== undefined) continue
      throw new AgidbError(
        'AGIDB_NOT_FOUND',
        `${file}, line ${line}: no memory in ${path} has the id ${JSON.stringify(id)}`,
        { path: file, line, id },
      )
    }
  }
}

/** A ranker orders candidates; what is none it cannot learn from. */
function checkFound(file: string, examples: readonly Example[]): void {
  const groups = new Set(
    examples.filter(({ right }) => right.includes(1) && right.includes(0)).map(({ group }) => group),
  )
  if (groups.size < 2) {
    throw wrong(
      `of the answers in ${file} too few are among the candidates of their questions; are they ids of memories ` +
        'that answer them?',
    )
  }
}

function learn(examples: readonly Example[], onProgress: (share: number) => void): Model {
  return trainModel(examples, {
    columns: FEATURES,
    boost: { onProgress: ({ done, total }) => onProgress(done / total) },
  })
}

/** The new ranker on questions that it has not seen, and beside it what comes with the package. */
function compare(
  name: string,
  examples: readonly Example[],
  judged: readonly JudgedLine[],
  onProgress: (share: number) => void,
): Comparison {
  const parts = Math.min(PARTS, groupsOf(judged).size)
  const free = forestFor('free', { codebook: true }, bundledModels)
  const plain = FEATURES.indexOf('fusion.z')
  const fusion = examples.map(({ right, features }) =>
    Float64Array.from(right, (_, i) => features[i * FEATURES.length + plain]),
  )
  const ranked = {
    [name]: heldBack(examples, FEATURES, parts, onProgress),
    free: free === undefined ? fusion : examples.map(({ features, right }) => free.scores(features, right.length)),
    fusion,
  }
  const results = Object.entries(ranked).map(([name, all]): [string, Answered[]] => [
    name,
    examples.flatMap((example, i) =>
      judged[i].ids.length === 0 ? [] : [answered(example, all[i], judged[i].ids.length)],
    ),
  ])
  const standings = results.map(
    ([name, all]): Standing => ({
      name,
      'R@10': mean(all.map(({ recall }) => recall)),
      MRR: mean(all.map(({ reciprocal }) => reciprocal)),
    }),
  )
  const rival = standings[1].MRR >= standings[2].MRR ? 1 : 2
  const reciprocals = (at: number) => results[at][1].map(({ reciprocal }) => reciprocal)
  return { standings, rival: standings[rival].name, above: difference(reciprocals(0), reciprocals(rival)) }
}

function show(
  out: string,
  name: string,
  trainedOn: string,
  groups: number,
  { standings, rival, above }: Comparison,
): void {
  const { style } = terminalOf(process.stdout)
  const width = Math.max(...standings.map(({ name }) => printable(name).length))
  print(`Trained on ${trainedOn}. On held-back questions, of ${groups} groups:\n`)
  print(`  ${''.padEnd(width)}   R@10    MRR`)
  for (const standing of standings)
    print(`  ${printable(standing.name).padEnd(width)}  ${standing['R@10'].toFixed(3)}  ${standing.MRR.toFixed(3)}`)
  const points = `MRR ${above.mean < 0 ? '−' : '+'}${Math.abs(above.mean).toFixed(3)} ± ${above.error.toFixed(3)}`
  if (above.mean > above.error) print(`\n${style('green', `${printable(name)} beats ${rival}`)} (${points}).`)
  else if (above.mean < -above.error)
    print(`\n${style('yellow', `${printable(name)} does not beat ${rival}`)} (${points}); use ${rival}.`)
  else
    print(
      `\n${style('yellow', `${printable(name)} does not clearly beat ${rival}`)} (${points}); use ${rival}, or ` +
        'judge more questions.',
    )
  print(`Written to ${out}: agidb recall --ranker ${out}, or open({ ranker }) with the parsed JSON.`)
}

function withAnswer(judged: readonly JudgedLine[]): JudgedLine[] {
  return judged.filter(({ ids }) => ids.length > 0)
}

function groupsOf(judged: readonly JudgedLine[]): Set<string> {
  return new Set(judged.map(({ group }) => group))
}

function wrong(message: string, details: Record<string, unknown> = {}): AgidbError {
  return new AgidbError('AGIDB_INVALID_ARGUMENT', message, details)
}
