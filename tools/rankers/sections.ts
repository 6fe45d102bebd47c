/**
 * Fits how a search of entries weighs what sections say:
 *
 *     npx tsx tools/rankers/sections.ts [--questions FILE] [--check]
 *
 * on questions about documents in the form of bench/data/document-training.json, which is the default. Prints how the
 * search does on documents that were held back, in five parts, and writes src/memory/documents/section-weights.ts; with
 * `--check` nothing is written. The weights for a sentence encoder are fitted with all-MiniLM-L6-v2, which
 * tools/setup.sh fetches; encoding takes some minutes.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { engine } from '../../bench/recall/examples.js'
import { isIn, type SectionQuestion } from '../../bench/recall/sections.js'
import { encoded } from '../../bench/recall/sentences.js'
import type { Entry } from '../../src/api/entry.js'
import type { Equipment } from '../../src/api/ranker.js'
import { readDocument } from '../../src/cli/read-document.js'
import { sectionEvidence, SECTION_SIGNALS } from '../../src/memory/documents/section-evidence.js'
import { logOdds, type SectionWeights, standardised, trustIn } from '../../src/memory/documents/section-ranking.js'
import { sectionName, Sections } from '../../src/memory/documents/section.js'
import { logistic } from '../../src/recall/ranking/forest.js'
import { fitLogistic } from '../../src/training/logistic.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WEIGHTS = new URL('../../src/memory/documents/section-weights.ts', import.meta.url)
/** As many as a search ranks. */
const CANDIDATES = 60
const PARTS = 5

const { values } = parseArgs({
  options: { questions: { type: 'string' }, check: { type: 'boolean', default: false } },
})
const file = values.questions ?? join(ROOT, 'bench/data/document-training.json')
const questions = JSON.parse(readFileSync(file, 'utf8')) as readonly SectionQuestion[]

/** A question with its candidates, as the recall orders them. */
interface Asked {
  /** The document that it is about, or that it sounds like. */
  readonly group: string
  readonly isAnswered: boolean
  /** What is known of each: the log odds by the recall, then the evidence of sections. */
  readonly rows: readonly (readonly number[])[]
  readonly labels: readonly number[]
  /** The section of each. */
  readonly sections: readonly string[]
}

const models: Partial<Record<Equipment, SectionWeights>> = {}
for (const equipment of ['plain', 'codebook', 'encoder'] as const) models[equipment] = await fitted(equipment)
if (!values.check) {
  const code = `/** Made by tools/rankers/sections.ts, for each equipment of a memory: do not edit. */
export const SECTION_WEIGHTS = {
${Object.entries(models).map(literal).join('\n')}
}
`
  await writeFile(WEIGHTS, code)
}

function literal([name, { intercept, confidence, signals }]: readonly [string, SectionWeights]): string {
  const weights = SECTION_SIGNALS.map((signal) => `${signal}: ${signals[signal]}`)
  return `  ${name}: {
    intercept: ${intercept},
    confidence: ${confidence},
    signals: { ${weights.join(', ')} },
  },`
}

async function fitted(equipment: Equipment): Promise<SectionWeights> {
  const asked = await askedOf(equipment)
  const held: (Asked & { readonly odds: readonly number[] })[] = []
  const groups = [...new Set(asked.map(({ group }) => group))].sort()
  for (let part = 0; part < PARTS; part++) {
    const isHeld = ({ group }: Asked) => groups.indexOf(group) % PARTS === part
    const weights = fit(asked.filter((one) => !isHeld(one)))
    for (const one of asked.filter(isHeld)) held.push({ ...one, odds: one.rows.map((row) => oddsOf(weights, row)) })
  }
  const answered = held.filter(({ isAnswered }) => isAnswered)
  console.log(`${equipment}: ${asked.length} questions`)
  console.log(`  as the recall orders: ${figures(answered, ({ rows }) => rows.map(([odds]) => odds))}`)
  console.log(`  with sections, held back: ${figures(answered, ({ odds }) => odds)}`)
  console.log(`  calibration: ${calibration(held)}`)
  return fit(asked)
}

/** The questions with what is known of their candidates. */
async function askedOf(equipment: Equipment): Promise<Asked[]> {
  const db = await engine(equipment, 'free')
  for (const path of new Set(questions.flatMap(({ path }) => path ?? [])))
    await db.entries.ingest((await readDocument(join(ROOT, path), undefined)).document, { source: path })
  await encoded(db)
  const { indexes } = (await db.inside()).context
  const entries = new Map<string, Entry>()
  for (const { source } of await db.entries.sources())
    for (const entry of await db.entries.browse({ source, limit: 1_000 })) entries.set(entry.id, entry)
  const found: Asked[] = []
  for (const { set, question, also = [], ...section } of questions) {
    const wanted = set === 'none' ? [] : [section, ...also]
    const { matches } = await db.recall(question, { k: CANDIDATES, fold: false, learn: false })
    let bound = 1
    const odds = matches.map(({ confidence }) => logOdds((bound = Math.min(bound, confidence))))
    const slots = matches.map(({ id }) => indexes.catalog.slot(id)!)
    const columns = standardised(sectionEvidence(indexes, question, slots, new Sections(indexes, () => true)))
    const candidates = matches.map(({ id }) => entries.get(id)!)
    found.push({
      group: section.source,
      isAnswered: wanted.length > 0,
      rows: odds.map((odds, i) => [odds, ...SECTION_SIGNALS.map((signal) => columns[signal][i])]),
      labels: candidates.map((entry) => Number(wanted.some((one) => isIn(entry, one)))),
      sections: candidates.map(({ id, places }) => (places.length === 0 ? id : sectionName(places[0]))),
    })
  }
  await db.close()
  return found
}

function fit(asked: readonly Asked[]): SectionWeights {
  const { weights, intercept } = fitLogistic({
    rows: asked.flatMap(({ rows }) => rows),
    labels: asked.flatMap(({ labels }) => labels),
  })
  // What is added to the log odds is multiplied by the trust in so many candidates.
  const trust = trustIn(asked.reduce((sum, { rows }) => sum + rows.length, 0) / asked.length)
  const [confidence, ...signals] = weights
  return {
    intercept: rounded(intercept / trust),
    confidence: rounded((confidence - 1) / trust),
    signals: Object.fromEntries(
      SECTION_SIGNALS.map((signal, i) => [signal, rounded(signals[i] / trust)]),
    ) as SectionWeights['signals'],
  }
}

function oddsOf({ intercept, confidence, signals }: SectionWeights, [odds, ...evidence]: readonly number[]): number {
  const trust = trustIn(CANDIDATES)
  const added = SECTION_SIGNALS.reduce((sum, signal, i) => sum + signals[signal] * evidence[i], intercept)
  return odds + trust * (added + confidence * odds)
}

function figures(asked: readonly Asked[], oddsOf: (asked: Asked & { odds: readonly number[] }) => readonly number[]) {
  const ranks = (asked as readonly (Asked & { odds: readonly number[] })[]).map((one) => {
    const odds = oddsOf(one)
    const order = [...odds.keys()].sort((a, b) => odds[b] - odds[a])
    const sections = [...new Set(order.map((i) => one.sections[i]))]
    const right = new Set(one.sections.filter((_, i) => one.labels[i] === 1))
    const rank = sections.findIndex((section) => right.has(section))
    return rank < 0 ? Infinity : rank
  })
  const within = (k: number) => (ranks.filter((rank) => rank < k).length / ranks.length).toFixed(3)
  const mrr = ranks.reduce((sum, rank) => sum + (rank < 10 ? 1 / (rank + 1) : 0), 0) / ranks.length
  return `R@1 ${within(1)}, R@5 ${within(5)}, R@10 ${within(10)}, MRR ${mrr.toFixed(3)}`
}

/** How far the confidence of the first ten is from the share that is right, and how well the best tells an answer. */
function calibration(held: readonly (Asked & { readonly odds: readonly number[] })[]): string {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, right: 0, count: 0 }))
  const best: { readonly value: number; readonly isAnswered: boolean }[] = []
  for (const { odds, labels, isAnswered } of held) {
    const order = [...odds.keys()].sort((a, b) => odds[b] - odds[a]).slice(0, 10)
    best.push({ value: odds[order[0]], isAnswered })
    for (const i of order) {
      const said = logistic(odds[i])
      const bin = bins[Math.min(9, Math.floor(10 * said))]
      bin.said += said
      bin.right += labels[i]
      bin.count++
    }
  }
  const all = bins.reduce((sum, { count }) => sum + count, 0)
  const error = bins.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0) / all
  const [yes, no] = [true, false].map((is) => best.filter(({ isAnswered }) => isAnswered === is))
  const pairs = yes.flatMap((a) => no.map((b) => (a.value > b.value ? 1 : a.value === b.value ? 0.5 : 0)))
  const area = pairs.reduce((sum: number, one) => sum + one, 0) / pairs.length
  return `ECE ${error.toFixed(3)}, AUROC ${area.toFixed(3)}`
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
