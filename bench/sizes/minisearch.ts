import MiniSearch from 'minisearch'
import type { Observation } from '../../src/api/episode.js'
import { grown } from '../growth.js'
import { line } from '../recall/exam.js'
import { STEMS, type Turn } from '../recall/peers/minisearch.js'
import type { Question } from './story.js'

/** Where MiniSearch would take gigabytes, it is not asked. */
const MOST = 200_000
/** All questions are asked so often. The times of the last round count, since code is warm by then. */
const ROUNDS = 3

/** What MiniSearch, with stems and without stop words, takes for questions. `undefined` for more turns than that. */
export async function askMiniSearch(
  source: readonly Observation[],
  count: number,
  questions: readonly Question[],
): Promise<number[] | undefined> {
  if (count > MOST) return undefined
  const index = new MiniSearch<Turn>({ fields: ['line'], ...STEMS })
  let id = 0
  for (const turn of grown(source, count)) index.add({ id: id++, line: line(turn) })
  let times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times = questions.map(({ cue }) => {
      const started = performance.now()
      index.search(cue).slice(0, 10)
      return performance.now() - started
    })
  }
  return times
}
