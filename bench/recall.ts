/** Retrieval quality, calibration and time of `recall`, beside those of its peers on the same turns and questions. */
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandLine, UsageError } from './command.js'
import { reliabilityDiagram } from './recall/diagram.js'
import { sit, type Contender, type Exam, type Result } from './recall/exam.js'
import { readFacts } from './recall/facts.js'
import { readLocomo, readWithQuestions } from './recall/locomo.js'
import { calibrationError, reliability, type Metrics } from './recall/metrics.js'
import { crossValidated, modes } from './recall/modes.js'
import { writeCurves } from './recall/pattern-curves.js'
import { printPatterns } from './recall/patterns.js'
import { readOrder } from './recall/order.js'
import { peers, type Peer } from './recall/peers.js'
import { report, type Report } from './recall/report.js'
import { table, type Row } from './recall/table.js'
import { readTranscriptExam } from './recall/transcript.js'
import { withForeign, withoutUnanswerable } from './recall/unanswerable.js'

const HELP = `
Retrieval quality, calibration and time of recall. One memory a turn, all questions with an evidence turn.

  npm run bench:recall                                        the conversations in bench/data
  npm run bench:recall -- --data <folder of LoCoMo-shaped json>      repeat --data for several folders
  npm run bench:recall -- --data FOLDER --questions FOLDER    with the questions of files of the same names, as those of
                                                              bench/data/rephrased-questions
  npm run bench:recall -- --transcript FILE.jsonl --questions FILE.json
  npm run bench:recall -- --facts bench/data/facts.json --unanswerable    small memories

  npm run bench:recall -- --order held          questions about order in time that were kept apart while the rules were
                                                written; or development: those that they were written with

  npm run bench:recall -- --patterns            confidence with \`structured\`, on both halves of the material; with
                                                --data among the turns of those conversations
  npm run bench:recall -- --patterns --fit      fits its curves on one half and writes
                                                src/recall/answer/pattern-curves.ts

  --codebook none|static  only the modes with that codebook
  --encoder none|minilm   minilm: first with the sentence encoder all-MiniLM-L6-v2, which tools/setup.sh fetches; then
                          without it. Default none
  --extract rules|none    whether statements are read out of the turns first; default none
  --peers                 MiniSearch and Orama on the same turns and questions
  --minilm FOLDER         also Orama's hybrid search and MiniLM alone; the folder has the ONNX graph and tokenizer.json
  --unanswerable          asks each conversation the questions of another as well
  --cross-validate        puts first a ranker that was trained on all conversations but the one asked (minutes)
  --diagram FILE.svg      draws the calibration of the first mode
  --misses                lists the questions that the first mode missed
  --json FILE             writes all figures
`

const { values } = commandLine(HELP, {
  options: {
    data: { type: 'string', multiple: true },
    transcript: { type: 'string' },
    questions: { type: 'string' },
    facts: { type: 'string' },
    order: { type: 'string' },
    patterns: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
    codebook: { type: 'string' },
    encoder: { type: 'string', default: 'none' },
    extract: { type: 'string', default: 'none' },
    peers: { type: 'boolean', default: false },
    minilm: { type: 'string' },
    'cross-validate': { type: 'boolean', default: false },
    unanswerable: { type: 'boolean', default: false },
    diagram: { type: 'string' },
    json: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

if (values.extract !== 'rules' && values.extract !== 'none') throw new UsageError('--extract takes rules or none')
if (values.encoder !== 'none' && values.encoder !== 'minilm') throw new UsageError('--encoder takes none or minilm')
if (values.order !== undefined && values.order !== 'development' && values.order !== 'held')
  throw new UsageError('--order takes development or held')
if (values.fit && !values.patterns) throw new UsageError('--fit goes with --patterns')
if (values.patterns) {
  await (values.fit ? writeCurves() : printPatterns(values.data?.[0]))
  process.exit()
}

const read = await readExams()
// Lists of facts have questions of their own that nothing answers.
const exams = values.unanswerable ? (values.facts === undefined ? withForeign(read) : read) : withoutUnanswerable(read)
const ours = [
  ...(values['cross-validate'] ? crossValidated(read, values.codebook) : []),
  ...modes(values.codebook, [], values.extract === 'rules' ? 'rules' : 'none', values.encoder === 'minilm'),
]
const others = values.peers || values.minilm !== undefined ? await peers(values.minilm) : []

const reports = new Map<string, Report>()
for (const contender of [...ours, ...others.flatMap(({ settings }) => settings)])
  reports.set(contender.name, await examine(contender))
print()
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(written(), null, 2) + '\n')

async function readExams(): Promise<Exam[]> {
  if (values.order === 'development' || values.order === 'held') return readOrder(values.order)
  if (values.facts !== undefined) return readFacts(values.facts)
  if (values.transcript === undefined && values.data !== undefined && values.questions !== undefined)
    return readWithQuestions(values.data, values.questions)
  if (values.transcript === undefined && values.questions === undefined) {
    const folders = values.data ?? [fileURLToPath(new URL('data/conversations', import.meta.url))]
    return (await Promise.all(folders.map(readLocomo))).flat()
  }
  if (values.transcript === undefined || values.questions === undefined || values.data !== undefined) {
    throw new UsageError(
      'give --data FOLDER, also with --questions FOLDER, or both --transcript FILE.jsonl and --questions FILE.json',
    )
  }
  return [await readTranscriptExam(values.transcript, values.questions)]
}

async function examine(contender: Contender): Promise<Report> {
  const sat = new Map<Exam, Result[]>()
  for (const exam of exams) sat.set(exam, await sit(contender, exam))
  if (contender === ours[0]) await show(sat)
  return report(sat)
}

/** What is asked for of the first mode alone. */
async function show(sat: ReadonlyMap<Exam, readonly Result[]>): Promise<void> {
  if (values.misses) for (const [exam, results] of sat) printMisses(results, exam)
  if (values.diagram === undefined) return
  const bins = reliability([...sat].flatMap(([exam, results]) => results.slice(0, exam.questions.length)))
  await writeFile(
    values.diagram,
    reliabilityDiagram(bins, 'Confidence of the first ten matches', calibrationError(bins)),
  )
}

function print(): void {
  const rows = [...reports]
  const first = reportOf(ours[0].name)
  const size = exams.reduce((sum, { observations }) => sum + observations.length, 0)
  console.log(
    `${exams.length} ${exams.length === 1 ? 'conversation' : 'conversations'}, one memory a turn: ${size} ` +
      `memories, ${first.metrics.questions} questions\n`,
  )
  const columns = ['R@5', 'R@10', 'R@20', 'hit@10', 'hit@20', 'MRR', 'ECE', 'recallMsP50', 'recallMsP95']
  console.log(
    table(
      columns,
      rows.map(([name, { metrics }]) => [name, metrics]),
    ),
  )
  const tried = others.filter(({ settings }) => settings.length > 1)
  if (tried.length > 0) console.log('\nThe peer, the setting with the highest R@10 here:')
  for (const peer of tried) console.log(`  ${peer.name}: ${strongest(peer)}`)
  printParts('kind of question', ({ byKind }) => byKind)
  if (Object.keys(first.byTextKind).length > 1) printParts('kind of text', ({ byTextKind }) => byTextKind)
  if (exams.length > 1) printParts('conversation', ({ byExam }) => byExam)
  if (first.doubt.AUROC === undefined) {
    if (values.unanswerable)
      console.log(
        '\nThere is no question without an answer here: that takes a second conversation, or such questions in ' +
          'the data.',
      )
    return
  }
  console.log(`\n${first.doubt.answerable} questions with an answer, ${first.doubt.unanswerable} without:`)
  console.log(
    'area under ROC of the best confidence (of the best score where there is none), share with low confidence ' +
      'on all of ten matches\n',
  )
  console.log(
    table(
      ['AUROC', 'low, answerable', 'low, unanswerable', 'ECE of all'],
      rows.map(([name, { doubt }]) => [name, doubtCells(doubt)]),
    ),
  )
}

function doubtCells({ AUROC, answerableLow, unanswerableLow, ECEOfAll }: Metrics): Row[1] {
  return { AUROC, 'low, answerable': answerableLow, 'low, unanswerable': unanswerableLow, 'ECE of all': ECEOfAll }
}

/** R@10 and MRR of each part of the questions, of the modes and the strongest setting of each peer. */
function printParts(by: string, partsOf: (report: Report) => Record<string, Metrics>): void {
  const names = [...ours.map(({ name }) => name), ...others.map(strongest)]
  const figures = (name: string, figure: string) =>
    Object.fromEntries(
      Object.entries(partsOf(reportOf(name))).map(([part, metrics]) => [basename(part, '.json'), metrics[figure]]),
    )
  const counts = Object.fromEntries(
    Object.entries(figures(names[0], 'questions')).map(([part, count]) => [part, String(count)]),
  )
  for (const figure of ['R@10', 'MRR']) {
    console.log(`\n${figure} by ${by}\n`)
    console.log(
      table(Object.keys(counts), [
        ['questions', counts],
        ...names.map((name) => [name, figures(name, figure)] as const),
      ]),
    )
  }
}

/** The setting of a peer with the highest R@10. */
function strongest({ settings }: Peer): string {
  const best = (a: string, b: string) => (reportOf(b).metrics['R@10'] > reportOf(a).metrics['R@10'] ? b : a)
  return settings.map(({ name }) => name).reduce(best)
}

function written(): object {
  const pick = (contenders: readonly Contender[]) =>
    Object.fromEntries(contenders.map(({ name }) => [name, reportOf(name)]))
  const first = reportOf(ours[0].name)
  return {
    ...first,
    metrics: { ...first.metrics, AUROC: first.doubt.AUROC },
    modes: pick(ours),
    peers: pick(others.flatMap(({ settings }) => settings)),
    strongest: Object.fromEntries(others.map((peer) => [peer.name, strongest(peer)])),
  }
}

function reportOf(name: string): Report {
  const report = reports.get(name)
  if (report === undefined) throw new Error(`${name} did not sit`)
  return report
}

function printMisses(sat: readonly Result[], exam: Exam): void {
  console.log(`missed in ${exam.name}`)
  for (const { question, ranks } of sat) {
    if (question.gold.length === 0 || Math.min(...ranks) < 10) continue
    console.log(`  ${question.cue}`)
    for (const [i, index] of question.gold.entries())
      console.log(`    #${ranks[i] + 1} ${exam.observations[index].speaker}: ${exam.observations[index].text}`)
  }
}
