import { rulesExtractor } from '../../src/extraction/rules/extractor.js'
import { sit, type Contender, type Exam, type Result } from '../recall/exam.js'
import { metrics, type Metrics } from '../recall/metrics.js'
import { MiniLM, miniLMAlone } from '../recall/peers/minilm.js'
import { miniSearches } from '../recall/peers/minisearch.js'
import type { Table, TableRow } from '../tabular.js'
import { walksOverMiniLM } from './minilm-walk.js'
import { readMultiHop } from './multi-hop.js'
import { graphVariants } from './variants.js'

/** Where MiniLM is. */
export interface MiniLMFiles {
  readonly graph: string
  readonly tokenizer: string
}

/** What a contender found, in all exams. */
type Sat = readonly (readonly [Contender, readonly Result[]])[]

/**
 * The multi-hop set: all questions, and each kind. Of a peer that comes in several settings, the one with the highest
 * R@5 here is shown.
 *
 * @param files without them MiniLM does not sit
 */
export async function multiHopQuality(files?: MiniLMFiles): Promise<Table[]> {
  const exams = await readMultiHop()
  const ours = graphVariants()
  const rows = [...(await satBy(ours.contenders, exams))]
  await ours.close()
  rows.push(strongest(await satBy(miniSearches, exams)))
  if (files !== undefined) {
    const model = await MiniLM.read(files.graph, files.tokenizer)
    rows.push(...(await satBy([miniLMAlone(model)], exams)))
    rows.push(strongest(await satBy(walksOverMiniLM(model, await rulesExtractor()), exams)))
  }
  const all = rows[0][1]
  const kinds = ['two', 'three', 'order']
  return [
    { title: title('all', all), subject: { section: 'multi-hop', kind: 'all' }, ...figures(rows, () => true) },
    ...kinds.map((kind) => ({
      title: title(kind, ofKind(all, kind)),
      subject: { section: 'multi-hop', kind },
      ...figures(rows, (result) => result.question.kind === kind),
    })),
  ]
}

async function satBy(contenders: readonly Contender[], exams: readonly Exam[]): Promise<Sat> {
  const sat: (readonly [Contender, readonly Result[]])[] = []
  for (const contender of contenders) {
    const results: Result[] = []
    for (const exam of exams) results.push(...(await sit(contender, exam)))
    sat.push([contender, results])
  }
  return sat
}

function strongest(settings: Sat): Sat[number] {
  const figure = ([, results]: Sat[number]) => metrics(results)['R@5']
  return settings.reduce((best, one) => (figure(one) > figure(best) ? one : best))
}

function ofKind(results: readonly Result[], kind: string): readonly Result[] {
  return results.filter(({ question }) => question.kind === kind)
}

const TITLES: Readonly<Record<string, string>> = {
  all: 'Multi-hop set, all questions',
  two: 'Answers that take two turns',
  three: 'Answers that take three turns',
  order: 'Order in time',
}

function title(kind: string, results: readonly Result[]): string {
  return `${TITLES[kind]} (${results.length})`
}

function figures(sat: Sat, chosen: (result: Result) => boolean): Pick<Table, 'columns' | 'rows'> {
  const rows = sat.map(([{ name }, results]): TableRow => ({ name, cells: cells(results.filter(chosen)) }))
  return { columns: Object.keys(rows[0].cells), rows }
}

/** Shares of the gold, and of the questions all of whose gold was found; of the last of the gold, which answers. */
function cells(results: readonly Result[]): Metrics {
  const { 'R@5': five, 'R@10': ten, MRR } = metrics(results)
  const share = (right: (result: Result) => boolean) => results.filter(right).length / results.length
  const round = (value: number) => Number(value.toFixed(3))
  return {
    'R@5': round(five),
    'R@10': round(ten),
    MRR: round(MRR),
    'all@5': round(share(({ ranks }) => Math.max(...ranks) < 5)),
    'all@10': round(share(({ ranks }) => Math.max(...ranks) < 10)),
    'p50 ms': round(metrics(results).recallMsP50),
    'p95 ms': round(metrics(results).recallMsP95),
  }
}
