import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import { DIMENSION, SIGNATURE_BYTES } from '../../src/kernel/port.js'
import { dot } from '../../src/indexes/latents.js'
import { type Kind, read, readAsked, readQueries, readRows } from './data.js'

/** How right an answer is, 0 to 1. */
export type Judge = (query: number, found: readonly number[]) => Promise<number>

/** Cosines that are equal but for rounding. */
const ROUNDING = 1e-5

/**
 * Of vectors: the share of the ten best that was found; one that is as near as the tenth is one of them. Of texts:
 * whether the text from which the question was made was found.
 */
export async function judge(kind: Kind, folder: string, k: number): Promise<Judge> {
  if (kind === 'texts') {
    const asked = await readAsked(folder)
    return async (query, found) => Number(found.includes(asked[query].gold))
  }
  const queries = await readQueries(kind, folder)
  const [least, nearness] =
    kind === 'latents'
      ? await byCosine(folder, queries as Float32Array[], k)
      : await byHamming(kind, folder, queries as Uint8Array[], k)
  return async (query, found) => {
    const rows = await readRows(kind, folder, [...new Set(found)].slice(0, k))
    return rows.filter((row) => nearness(row, queries[query]) >= least[query]).length / k
  }
}

type Nearness = (row: unknown, query: unknown) => number

/** How near the k-th nearest is to each query, and how that is measured. */
async function byHamming(
  kind: Kind,
  folder: string,
  queries: readonly Uint8Array[],
  k: number,
): Promise<[number[], Nearness]> {
  const kernel = await loadKernel({ kernel: await readKernel() })
  const arena = kernel.arena()
  let next = 0
  for await (const batch of read(kind, folder)) {
    const signatures = new Uint8Array(SIGNATURE_BYTES * batch.length)
    batch.forEach((signature, i) => signatures.set(signature as Uint8Array, SIGNATURE_BYTES * i))
    arena.setMany(
      Uint32Array.from(batch, () => next++),
      signatures,
    )
  }
  const least = queries.map((query) => arena.scan(kernel.query(query), k).scores.at(-1)!)
  arena.free()
  return [least, (row, query) => DIMENSION - 2 * kernel.hamming(row as Uint8Array, query as Uint8Array)]
}

async function byCosine(folder: string, queries: readonly Float32Array[], k: number): Promise<[number[], Nearness]> {
  const best = queries.map(() => new Float64Array(k).fill(-2))
  for await (const batch of read('latents', folder)) {
    for (const row of batch as Float32Array[]) {
      queries.forEach((query, i) => {
        const cosine = dot(row, query)
        // The least of the best stands first.
        if (cosine <= best[i][0]) return
        best[i][0] = cosine
        best[i].sort()
      })
    }
  }
  return [best.map(([least]) => least - ROUNDING), (row, query) => dot(row as Float32Array, query as Float32Array)]
}
