import type { Observation } from '../src/api/episode.js'
import { heaviest } from '../src/encoding/heaviest.js'
import { analyse } from '../src/recall/query/cue.js'
import { grown, Questions } from './growth.js'
import { type Asked, partialIndexes } from './partial.js'
import { seeded, shuffled } from './random.js'
import { indexed } from './ranking.js'
import { quantile } from './section.js'
import type { Table, TableRow } from './tabular.js'

/** Of which so many are looked for among so many that a scan finds. */
const [BEST, FOUND] = [10, 100]
const DIMENSIONS = [128, 256, 512, 1024, 2048]

/**
 * What a scan at the heaviest dimensions of a query finds of what one at all of them does, and how long it takes: a
 * table for each number of turns, grown out of real ones, and questions about them.
 */
export async function* heaviestDimensions(
  source: readonly Observation[],
  sizes: readonly number[],
  count: number,
): AsyncGenerator<Table> {
  for (const size of sizes) {
    const questions = new Questions(size, count)
    const indexes = await indexed(observed(grown(source, size), questions))
    const cues = questions.asked.map(({ cue }) => analyse(indexes, cue, undefined))
    const kinds: Record<string, Asked> = {
      text: { arena: indexes.text, queries: cues.flatMap(({ queries }) => queries.text ?? []) },
      latents: {
        arena: indexes.signatures.get('latent')!.arena,
        queries: cues.flatMap(({ latent }) => latent?.query ?? []),
      },
    }
    const rows: TableRow[] = [undefined, ...DIMENSIONS].map((dimensions) => ({
      name: dimensions === undefined ? 'all dimensions' : `${dimensions} heaviest`,
      cells: {},
    }))
    for (const [kind, asked] of Object.entries(kinds)) {
      measured(asked).forEach(({ share, ms }, i) =>
        Object.assign(rows[i].cells, { [`${kind}: share`]: share, [`${kind}: scan ms`]: ms }),
      )
    }
    yield {
      title:
        `Share of the ${BEST} best at all dimensions that are among the ${FOUND} best at the heaviest; ${size} ` +
        `turns, ${questions.asked.length} questions`,
      subject: { section: 'heaviest', count: size },
      columns: Object.keys(kinds).flatMap((kind) => [`${kind}: share`, `${kind}: scan ms`]),
      rows,
    }
    yield partialIndexes(indexes.kernel, kinds, size, BEST)
  }
}

/** For all dimensions, then for as many as there are: of what is wanted, and the median time. */
function measured({ arena, queries }: Asked): { share: number; ms: number }[] {
  const random = seeded(4)
  const results = [undefined, ...DIMENSIONS].map((dimensions) => ({ dimensions, found: 0, times: [] as number[] }))
  for (const query of queries) {
    const wanted = new Set(arena.scan(query, BEST).slots)
    // The next is another query: nothing is counted already.
    for (const result of shuffled(results, random)) {
      const asked = result.dimensions === undefined ? query : heaviest(query, result.dimensions)
      arena.scan({ ...asked, signs: asked.signs.map((byte) => ~byte) }, 1)
      const started = performance.now()
      const { slots } = arena.scan(asked, FOUND)
      result.times.push(performance.now() - started)
      for (const slot of slots) if (wanted.has(slot)) result.found++
    }
  }
  return results.map(({ found, times }) => ({ share: found / (BEST * queries.length), ms: quantile(times, 0.5) }))
}

function* observed(observations: Iterable<Observation>, questions: Questions): Generator<Observation> {
  let index = 0
  for (const observation of observations) {
    questions.offer(index++, observation)
    yield observation
  }
}
