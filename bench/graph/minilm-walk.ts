import type { Extractor } from '../../src/api/extractor.js'
import { fold } from '../../src/encoding/tokens.js'
import { line, type Contender, type Exam, type Filled } from '../recall/exam.js'
import type { MiniLM } from '../recall/peers/minilm.js'
import { Edges, pageRank } from './walk.js'

/** Turns to which each turn has an edge for its likeness. */
const NEAREST = 10

interface Setting {
  readonly edges: 'likeness' | 'entities' | 'both'
  /** Turns that the walk starts from, each with its cosine. */
  readonly seeds: number
}

const SETTINGS: readonly Setting[] = (['likeness', 'entities', 'both'] as const).flatMap((edges) =>
  [5, 20].map((seeds) => ({ edges, seeds })),
)

/**
 * PageRank over MiniLM, as HippoRAG 2 ranks passages (Gutiérrez et al. 2025) without its language model: turns and
 * entities are nodes; edges lead from a turn to its nearest by cosine and to the entities that it names, weighted by
 * how few turns do; the walk begins at the turns nearest to the question and at the entities that it names.
 *
 * @param extractor finds the entities, so that a peer has the same ones as this library
 */
export function walksOverMiniLM(model: MiniLM, extractor: Extractor): Contender[] {
  return SETTINGS.map((setting) => ({
    name: `PageRank over MiniLM, ${setting.edges}, ${setting.seeds} seeds`,
    fill: (exam) => fill(exam, model, extractor, setting),
  }))
}

async function fill(exam: Exam, model: MiniLM, extractor: Extractor, setting: Setting): Promise<Filled> {
  const { observations } = exam
  const embeddings = await model.remember(observations.map(line))
  const named = await namesOf(exam, extractor)
  const entities = [...new Set(named.flat())]
  const edges = new Edges(observations.length + entities.length)
  if (setting.edges !== 'entities') linkNearest(edges, embeddings)
  if (setting.edges !== 'likeness') linkEntities(edges, named, entities)
  return {
    async rank(cue, k) {
      const asked = await model.encode(cue)
      const cosines = embeddings.map((embedding, index) => ({ index, cosine: dot(asked, embedding) }))
      const seeds = new Float64Array(edges.nodes)
      for (const { index, cosine } of cosines.sort((a, b) => b.cosine - a.cosine).slice(0, setting.seeds))
        seeds[index] = Math.max(0, cosine)
      const words = ` ${fold(cue).replace(/[^\p{L}\p{N}]+/gu, ' ')} `
      if (setting.edges !== 'likeness')
        entities.forEach((name, i) => {
          if (words.includes(` ${name} `)) seeds[observations.length + i] = cosines[0].cosine
        })
      const ranks = pageRank(edges, seeds)
      // Turns that the walk does not reach come after the others, by their cosine.
      return cosines
        .map(({ index, cosine }) => ({ index, score: ranks[index] > 0 ? 1 + ranks[index] : cosine / 2 }))
        .sort((a, b) => b.score - a.score)
        .slice(0, k)
    },
    close: async () => {},
  }
}

/** The entities that each turn names, folded, its speaker among them. */
async function namesOf({ observations }: Exam, extractor: Extractor): Promise<string[][]> {
  const contexts = observations.map(({ speaker, at }, i) => ({
    speaker,
    at: new Date(at ?? 0).toISOString(),
    before: observations.slice(Math.max(0, i - 2), i).map((turn) => ({ speaker: turn.speaker, text: turn.text })),
  }))
  const found = await extractor.extract(
    observations.map(({ text }) => text),
    contexts,
  )
  return found.map(({ entities }, i) => {
    const names = entities.map(({ text }) => fold(text).replace(/'s$/, ''))
    return [...new Set([...names, fold(observations[i].speaker ?? '')])].filter((name) => name !== '')
  })
}

function linkNearest(edges: Edges, embeddings: readonly Float32Array[]): void {
  embeddings.forEach((embedding, a) => {
    const nearest = embeddings
      .map((other, b) => ({ b, cosine: dot(embedding, other) }))
      .filter(({ b, cosine }) => b !== a && cosine > 0)
      .sort((x, y) => y.cosine - x.cosine)
      .slice(0, NEAREST)
    for (const { b, cosine } of nearest) edges.link(a, b, cosine)
  })
}

function linkEntities(edges: Edges, named: readonly (readonly string[])[], entities: readonly string[]): void {
  const numberOf = new Map(entities.map((name, i) => [name, i]))
  const counts = new Map<string, number>()
  for (const name of named.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const most = Math.log(1 + named.length)
  named.forEach((names, turn) => {
    for (const name of names)
      edges.link(turn, named.length + numberOf.get(name)!, Math.log(1 + named.length / counts.get(name)!) / most)
  })
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
