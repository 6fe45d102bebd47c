import { readCodebook } from '../src/encoding/codebook/node.js'
import { loadCodebook } from '../src/encoding/codebook/load.js'
import { DEFAULT_LIMITS } from '../src/api/check.js'
import type { Observation } from '../src/api/episode.js'
import { Indexes } from '../src/indexes/indexes.js'
import { readKernel } from '../src/kernel/node.js'
import { loadKernel } from '../src/kernel/load.js'
import { toQuestion } from '../src/recall/query/to-question.js'
import { bundledModels } from '../src/recall/ranking/bundled.js'
import { forestFor } from '../src/recall/ranking/rankers.js'
import { rank } from '../src/recall/ranking/ranking.js'
import { consider } from '../src/recall/consider.js'
import { quantile, type Section } from './section.js'
import { readTurns } from './turns.js'

const ROUNDS = 10
const NOW = Date.UTC(2026, 0, 1)

/** Ranking alone: from what the indexes say of the candidates to their order; features, trees and sorting. */
export async function ranking(transcript: string, questions: readonly string[]): Promise<Section> {
  const indexes = await indexed(await readTurns(transcript))
  const forest = forestFor(undefined, { codebook: true }, bundledModels)
  const [times, sizes]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const cue of questions) {
      const { candidates: sight } = await consider(indexes, toQuestion(cue, {}, NOW, DEFAULT_LIMITS))
      const started = performance.now()
      rank(sight, forest, { now: NOW })
      // The first round lets the compilers finish.
      if (round === 0) continue
      times.push(performance.now() - started)
      sizes.push(sight.slots.length)
    }
  }
  return {
    title:
      `Ranking ${quantile(sizes, 0.5)} candidates (the median) of ${indexes.catalog.size}, Node ` +
      `${process.versions.node} (codebook, ranker ${forest?.name})`,
    rows: [
      { name: 'p50', value: quantile(times, 0.5), unit: 'ms' },
      { name: 'p95', value: quantile(times, 0.95), unit: 'ms' },
    ],
  }
}

/** The indexes of observations, each in the slot of its number, with the codebook. */
export async function indexed(observations: Iterable<Observation>): Promise<Indexes> {
  const indexes = new Indexes(
    await loadKernel({ kernel: await readKernel() }),
    await loadCodebook(await readCodebook()),
  )
  let slot = 0
  for (const { text, speaker, at, session = 'transcript' } of observations) {
    const id = String(slot)
    const episode = {
      id,
      text,
      speaker,
      at: String(at),
      recordedAt: String(at),
      session,
      triples: [],
      provenance: { writer: 'bench', episodes: [id] },
    }
    indexes.add(slot++, episode, indexes.encode(episode).signatures)
  }
  return indexes
}
