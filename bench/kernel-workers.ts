import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { readKernel } from '../src/kernel/node.js'
import { loadKernel } from '../src/kernel/load.js'
import { mergeHits } from '../src/kernel/merge.js'
import { type Hits, SIGNATURE_BYTES } from '../src/kernel/port.js'
import { filled, randomWords } from './kernel-contenders.js'
import { nativeScan } from './native-scan.js'
import { type Contender, QUERIES, race, raced } from './race.js'
import type { Section } from './section.js'

/** What a worker is to hold. */
export interface Part {
  readonly words: SharedArrayBuffer
  readonly from: number
  readonly to: number
}

const WORKERS = 2

/**
 * The scan of signatures that are shared out to two workers, each with a kernel of its own: both are asked at once, and
 * what they find is merged. Beside it one arena of all, whose answers are the same, and the native scan of all in one
 * thread.
 */
export async function kernelWorkers(signatures = 983_040, rounds = 9): Promise<Section> {
  const shared = new SharedArrayBuffer(signatures * SIGNATURE_BYTES)
  const words: Uint32Array = randomWords(shared.byteLength / 4, new Uint32Array(shared))
  const kernel = await loadKernel({ kernel: await readKernel() })
  const queries = Array.from({ length: QUERIES }, (_, i) => kernel.fromName(`query ${i}`))
  const arena = filled(kernel.arena(), words)
  const parts = Array.from(
    { length: WORKERS },
    (_, i): Part => ({ words: shared, from: (i * signatures) / WORKERS, to: ((i + 1) * signatures) / WORKERS }),
  )
  const workers = parts.map(start)
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  const ask = async (query: number) => {
    const found = workers.map(async (worker) => {
      worker.postMessage(queries[query])
      const [hits] = (await once(worker, 'message')) as [Hits]
      return hits
    })
    return mergeHits(await Promise.all(found), 10)
  }
  for (let query = 0; query < 5; query++) {
    const [whole, merged] = [arena.scan(kernel.query(queries[query]), 10), await ask(query)]
    if (JSON.stringify(whole) !== JSON.stringify(merged))
      throw new Error('the workers found other signatures than one arena')
  }
  const native = await nativeScan(words)
  const whole: Contender = {
    name: 'kernel, binary query, one thread',
    run: (i) => void arena.scan(kernel.query(queries[i]), 10),
  }
  const base: Contender = native
    ? {
        name: `native rows (${native.level}), binary query, one thread`,
        run: async (i) => (await native.nearest(queries[i])).ms,
      }
    : whole
  const contenders: Contender[] = [
    base,
    { ...base, name: 'the same again' },
    ...(native ? [whole] : []),
    // What the key promises is a ratio to the native program.
    {
      name: `kernel, binary query, ${WORKERS} workers`,
      key: native && 'workers2at1M',
      run: async (i) => void (await ask(i)),
    },
  ]
  const { cold } = await race(contenders, rounds, () => performance.now())
  native?.stop()
  await Promise.all(workers.map((worker) => worker.terminate()))
  return {
    count: signatures,
    setting: 'cold, by the clock',
    title: `Scan of ${signatures} signatures, cold, by the clock, Node ${process.versions.node}`,
    rows: raced(contenders, cold),
  }
}

/** A worker in TypeScript, which Node 20 does not read by itself. */
function start(part: Part): Worker {
  const [api, module] = [import.meta.resolve('tsx/esm/api'), new URL('kernel-worker.ts', import.meta.url).href]
  const code = `import(${JSON.stringify(api)}).then(({ register }) => (register(), import(${JSON.stringify(module)})))`
  return new Worker(code, { eval: true, workerData: part })
}
