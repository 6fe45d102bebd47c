/**
 * Retrieval quality, calibration and time of `recall`, on data given by path:
 *
 *     npm run bench:recall -- --data <folder of LoCoMo-shaped json> [--codebook none] [--json FILE]
 *     npm run bench:recall -- --transcript FILE.jsonl --questions FILE.json
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { Agidb } from '../src/node.js'
import { sit, type Exam, type Result } from './recall/exam.js'
import { readLocomo } from './recall/locomo.js'
import { metrics, type Metrics } from './recall/metrics.js'
import { readTranscriptExam } from './recall/transcript.js'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    transcript: { type: 'string' },
    questions: { type: 'string' },
    codebook: { type: 'string', default: 'none' },
    json: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

if (values.codebook !== 'none') throw new Error(`there is no codebook ${JSON.stringify(values.codebook)}; known is: none`)
const exams = await readExams()
const results: Result[] = []
const byExam: Record<string, Metrics> = {}
for (const exam of exams) {
  const db = await Agidb.open({ storage: 'memory', clock: () => Date.UTC(2026, 0, 1), seed: 1 })
  const sat = await sit(db, exam)
  await db.close()
  results.push(...sat)
  byExam[exam.name] = metrics(sat)
  print(`${exam.name} (${exam.observations.length} memories)`, byExam[exam.name])
  if (values.misses) printMisses(sat, exam)
}
const kinds = [...new Set(results.map(({ question }) => question.kind))].sort()
const byKind = Object.fromEntries(kinds.map((kind) => [kind, metrics(results.filter(({ question }) => question.kind === kind))]))
for (const [kind, figures] of Object.entries(byKind)) print(`questions of kind ${kind}`, figures)
const all = metrics(results)
print('all, one memory a turn', all)
if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ metrics: all, byKind, byExam }, null, 2) + '\n')

async function readExams(): Promise<Exam[]> {
  if (values.data !== undefined) return readLocomo(values.data)
  if (values.transcript !== undefined && values.questions !== undefined) return [await readTranscriptExam(values.transcript, values.questions)]
  throw new Error('give --data FOLDER, or --transcript FILE.jsonl and --questions FILE.json')
}

function print(title: string, figures: Metrics): void {
  console.log(title)
  console.log('  ' + Object.entries(figures).map(([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(3)}`).join('  '))
}

function printMisses(sat: readonly Result[], exam: Exam): void {
  for (const { question, ranks } of sat) {
    if (Math.min(...ranks) < 10) continue
    console.log(`  miss: ${question.cue}`)
    for (const [i, index] of question.gold.entries()) console.log(`    #${ranks[i] + 1} ${exam.observations[index].speaker}: ${exam.observations[index].text}`)
  }
}
