import { readCodebook } from '../src/codebook/built-node.js'
import { loadCodebook } from '../src/codebook/load.js'
import type { Observation } from '../src/core/episode.js'
import { heaviest } from '../src/hdc/heaviest.js'
import { Indexes } from '../src/indexes/indexes.js'
import { readKernel } from '../src/kernel/built-node.js'
import { loadKernel } from '../src/kernel/load.js'
import { type Arena, DIMENSION, type Query } from '../src/kernel/port.js'
import { analyse } from '../src/recall/cue.js'
import { grown, Questions } from './growth.js'
import { quantile } from './section.js'
import type { Table, TableRow } from './tabular.js'

const COUNTS = [256, 512, 1024, 2048, 4096, DIMENSION]
/** The best that are wanted, and how many a scan of fewer dimensions gives for a closer look. */
const [BEST, FOUND] = [10, 100]

/** How many of the ten best by a whole weighted query a scan at its heaviest dimensions alone has among its hundred, and what it takes. */
export async function heaviestAlone(source: readonly Observation[], count: number, queries: number): Promise<Table> {
  const indexes = new Indexes(await loadKernel({ kernel: await readKernel() }), await loadCodebook(await readCodebook()))
  const questions = new Questions(count, queries)
  let slot = 0
  for (const item of grown(source, count)) {
    questions.offer(slot, item)
    const id = String(slot)
    const episode = { ...item, at: item.at as string, id, recordedAt: item.at as string, triples: [], provenance: { writer: 'bench', episodes: [id] } }
    indexes.add(slot++, episode, indexes.encode(episode).signatures)
  }
  const cues = questions.asked.map(({ cue }) => analyse(indexes, cue, undefined))
  const text = cues.flatMap(({ text }) => text ?? [])
  const latent = cues.flatMap(({ latent }) => latent?.query ?? [])
  const [ofText, ofLatent] = [measured(indexes.text, text), measured(indexes.latents!.arena, latent)]
  const rows = COUNTS.map((dimensions, i): TableRow => {
    const cells = { 'text, ten best found': ofText[i].found, 'text, p50 ms': ofText[i].ms, 'latent, ten best found': ofLatent[i].found, 'latent, p50 ms': ofLatent[i].ms }
    return { name: `${dimensions.toLocaleString('en')} dimensions`, cells }
  })
  return {
    title: `The heaviest dimensions of ${queries} cues, ${count.toLocaleString('en')} signatures, Node ${process.versions.node}`,
    subject: { section: 'heaviest', count },
    columns: Object.keys(rows[0].cells),
    rows,
    notes: [`Found: share of the ${BEST} best by the whole query that are among the ${FOUND} best by its heaviest dimensions, which count alike.`],
  }
}

function measured(arena: Arena, queries: readonly Query[]): { found: number; ms: number }[] {
  const wanted = queries.map((query) => new Set(arena.scan(query, BEST).slots))
  return COUNTS.map((dimensions) => {
    const times: number[] = []
    let found = 0
    queries.forEach((query, i) => {
      const asked = dimensions === DIMENSION ? query : heaviest(query, dimensions)
      const started = performance.now()
      const { slots } = arena.scan(asked, FOUND)
      times.push(performance.now() - started)
      for (const slot of slots) if (wanted[i].has(slot)) found++
    })
    return { found: found / (BEST * queries.length), ms: quantile(times, 0.5) }
  })
}
