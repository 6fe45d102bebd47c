import { createReadStream, createWriteStream } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readCodebook } from '../../src/encoding/codebook/node.js'
import { loadCodebook } from '../../src/encoding/codebook/load.js'
import type { Observation } from '../../src/api/episode.js'
import { textSignature } from '../../src/encoding/text.js'
import { Latents } from '../../src/indexes/latents.js'
import { readKernel } from '../../src/kernel/node.js'
import { loadKernel } from '../../src/kernel/load.js'
import type { Kernel } from '../../src/kernel/port.js'
import { type Asked, grown, perturbation, Questions, uniform } from '../growth.js'
import { seeded } from '../random.js'
import { line } from '../recall/exam.js'

/**
 * What is searched: signatures of grown texts, uniformly random ones, latents of grown texts, or grown texts
 * themselves.
 */
export type Kind = 'bits' | 'random' | 'latents' | 'texts'

/** Bytes of a row of a file: a signature, or the 256 floats of a latent. */
export const ROW_BYTES = 1024
const BATCH = 2048
/** Share of the content words of a stored text that are others in a question to vectors. */
const PERTURBED = 0.4
/** Share of the bits of a stored random signature that are others in a question. */
const FLIPPED = 0.25

const items = (folder: string) => join(folder, 'items')
const asked = (folder: string) => join(folder, 'queries')

/**
 * Writes `count` items and so many queries that are none of them; answers how many there are (a text without a known
 * word has no latent).
 */
export async function prepare(
  kind: Kind,
  folder: string,
  source: readonly Observation[],
  count: number,
  queries: number,
): Promise<number> {
  const out = createWriteStream(items(folder))
  let written = 0
  const write = async (item: Uint8Array | string) => {
    written++
    if (!out.write(item)) await once(out, 'drain')
  }
  if (kind === 'texts') {
    const questions = new Questions(count, queries)
    for (const item of grown(source, count)) {
      questions.offer(written, item)
      await write(JSON.stringify(item) + '\n')
    }
    await writeFile(asked(folder), JSON.stringify(questions.asked))
  } else {
    const kernel = await loadKernel({ kernel: await readKernel() })
    const random = seeded(3)
    const chosen: Uint8Array[] = []
    for (const [vector, query] of await vectors(kind, kernel, source, count)) {
      if (vector === undefined) continue
      if (chosen.length < queries && written >= ((chosen.length + random()) * count) / queries) {
        const found = query()
        if (found !== undefined) chosen.push(found)
      }
      await write(vector)
    }
    await writeFile(asked(folder), Buffer.concat(chosen))
  }
  out.end()
  await once(out, 'close')
  return written
}

/** Vectors as bytes, and how to make a query like each. */
async function vectors(
  kind: Kind,
  kernel: Kernel,
  source: readonly Observation[],
  count: number,
): Promise<Iterable<readonly [Uint8Array | undefined, () => Uint8Array | undefined]>> {
  if (kind === 'random') return flipping(count)
  const codebook = kind === 'latents' ? await loadCodebook(await readCodebook()) : undefined
  const latents = codebook && new Latents(kernel, codebook)
  const vector = (text: string): Uint8Array | undefined => {
    if (latents === undefined) return textSignature(kernel, text)
    const latent = latents.of(text)
    return latent && new Uint8Array(latent.buffer, latent.byteOffset, ROW_BYTES)
  }
  return perturbing(source, count, vector)
}

function* perturbing(source: readonly Observation[], count: number, vector: (text: string) => Uint8Array | undefined) {
  const perturbed = perturbation(source)
  for (const item of grown(source, count)) {
    const query = () => {
      const other = perturbed(item.text, PERTURBED)
      return other === item.text ? undefined : vector(line({ ...item, text: other }))
    }
    yield [vector(line(item)), query] as const
  }
}

function* flipping(count: number) {
  const random = seeded(4)
  for (const vector of uniform(count)) {
    yield [
      vector,
      () =>
        vector.map((byte) =>
          [1, 2, 4, 8, 16, 32, 64, 128].reduce((bits, bit) => (random() < FLIPPED ? bits ^ bit : bits), byte),
        ),
    ] as const
  }
}

/** The items, some at a time. */
export async function* read(kind: Kind, folder: string): AsyncGenerator<unknown[]> {
  let batch: unknown[] = []
  for await (const item of kind === 'texts' ? lines(folder) : rows(kind, folder)) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* lines(folder: string): AsyncGenerator<Observation> {
  for await (const text of createInterface({ input: createReadStream(items(folder)) }))
    yield JSON.parse(text) as Observation
}

async function* rows(kind: Kind, folder: string): AsyncGenerator<Uint8Array | Float32Array> {
  const file = await open(items(folder))
  try {
    for (;;) {
      // A buffer of its own for each batch: whoever keeps a row keeps what it is.
      const buffer = new Uint8Array(BATCH * ROW_BYTES)
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return
      for (let at = 0; at < bytesRead; at += ROW_BYTES) yield vectorAt(kind, buffer, at)
    }
  } finally {
    await file.close()
  }
}

/** The vectors to be asked about. */
export async function readQueries(kind: Kind, folder: string): Promise<unknown[]> {
  if (kind === 'texts') return (await readAsked(folder)).map(({ cue }) => cue)
  const bytes = Uint8Array.from(await readFile(asked(folder)))
  return Array.from({ length: bytes.length / ROW_BYTES }, (_, i) => vectorAt(kind, bytes, i * ROW_BYTES))
}

export async function readAsked(folder: string): Promise<Asked[]> {
  return JSON.parse(await readFile(asked(folder), 'utf8')) as Asked[]
}

/** The vectors with these numbers. */
export async function readRows(
  kind: Kind,
  folder: string,
  numbers: readonly number[],
): Promise<(Uint8Array | Float32Array)[]> {
  const file = await open(items(folder))
  try {
    return await Promise.all(
      numbers.map(async (number) => {
        const bytes = new Uint8Array(ROW_BYTES)
        await file.read(bytes, 0, ROW_BYTES, number * ROW_BYTES)
        return vectorAt(kind, bytes, 0)
      }),
    )
  } finally {
    await file.close()
  }
}

function vectorAt(kind: Kind, bytes: Uint8Array, at: number): Uint8Array | Float32Array {
  return kind === 'latents'
    ? new Float32Array(bytes.buffer, bytes.byteOffset + at, ROW_BYTES / 4)
    : bytes.subarray(at, at + ROW_BYTES)
}
