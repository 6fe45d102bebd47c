import type { GraphWeights } from '../../src/api/graph.js'
import { Agidb } from '../../src/runtimes/node/index.js'
import type { Contender, Exam, Filled, Hit } from '../recall/exam.js'

/** Which graphs a recall may use. */
const VARIANTS: readonly (readonly [name: string, graph: false | GraphWeights])[] = [
  ['agidb, all graphs', {}],
  ['  without associations', { association: 0 }],
  ['  without the chain', { forward: 0, backward: 0 }],
  ['  without entities', { entity: 0 }],
  ['  without PageRank', { pageRank: 0 }],
  ['agidb, no graph', false],
]

/**
 * This library with all graphs, without each of them and without any, on one memory for each exam: what is asked leaves
 * nothing in it.
 *
 * @returns the contenders, and what closes their memories
 */
export function graphVariants(): { readonly contenders: readonly Contender[]; close(): Promise<void> } {
  const memories = new Map<Exam, Promise<Memory>>()
  const memoryOf = (exam: Exam) => {
    const memory = memories.get(exam) ?? fill(exam)
    memories.set(exam, memory)
    return memory
  }
  return {
    contenders: VARIANTS.map(([name, graph]) => ({
      name,
      fill: async (exam) => asked(await memoryOf(exam), graph),
    })),
    async close() {
      for (const memory of memories.values()) await (await memory).db.close()
    },
  }
}

interface Memory {
  readonly db: Agidb
  /** Of each episode the index of its observation. */
  readonly indexOf: ReadonlyMap<string, number>
}

async function fill({ observations, questions }: Exam): Promise<Memory> {
  const db = await Agidb.open({
    storage: 'memory',
    clock: () => Date.UTC(2026, 0, 1),
    seed: 1,
    autoConsolidate: false,
    learnFromRecall: false,
    extract: 'rules',
  })
  const ids = await db.observeMany(observations)
  // Waits until everything is read.
  await db.recall('anything', { whole: true })
  // Who is asked first would be timed while everything is compiled.
  for (const { cue } of questions) await db.recall(cue)
  return { db, indexOf: new Map(ids.map((id, index) => [id, index])) }
}

function asked({ db, indexOf }: Memory, graph: false | GraphWeights): Filled {
  return {
    async rank(cue, k) {
      const { matches } = await db.recall(cue, { k, graph })
      return matches.map(({ id, confidence }): Hit => ({ index: indexOf.get(id) ?? -1, score: confidence }))
    },
    close: async () => {},
  }
}
