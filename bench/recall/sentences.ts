import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Agidb } from '../../src/api/agidb.js'
import type { SentenceEncoder } from '../../src/api/encoder.js'
import { sentenceEncoder } from '../../src/models/node.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** all-MiniLM-L6-v2 with weights of 8 bits, which tools/setup.sh fetches. */
const MODEL = here('../../node_modules/.cache/agidb-models/minilm-int8.onnx')
const TOKENIZER = here('../../test/unit/models/fixtures/tokenizer.json')

let opened: Promise<SentenceEncoder> | undefined

/**
 * The sentence encoder of the benchmarks. It encodes each text once for all memories of this process, and a recall
 * waits for its cue however long that takes.
 */
export function benchEncoder(): Promise<SentenceEncoder> {
  return (opened ??= open())
}

async function open(): Promise<SentenceEncoder> {
  const encoder = await sentenceEncoder({ model: MODEL, tokenizer: TOKENIZER, worker: false })
  const known = new Map<string, Float32Array>()
  return {
    id: encoder.id,
    dimension: encoder.dimension,
    cueMs: 600_000,
    async encode(texts) {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))]
      if (missing.length > 0) (await encoder.encode(missing)).forEach((latent, i) => void known.set(missing[i], latent))
      return texts.map((text) => known.get(text)!)
    },
    close: () => encoder.close(),
  }
}

/** Resolves when all memories are encoded; at once where there is no encoder. */
export async function encoded(db: Pick<Agidb, 'stats'>): Promise<void> {
  for (;;) {
    const { encoder } = await db.stats()
    if (encoder?.error !== undefined) throw new Error(encoder.error)
    if (encoder === undefined || encoder.pending === 0) return
    await sleep(50)
  }
}
