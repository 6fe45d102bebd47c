import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { line, type Contender, type Exam, type Filled } from '../exam.js'

/** Width of the embeddings of all-MiniLM-L6-v2. */
export const WIDTH = 384

/** Pieces that the model reads of a text: `max_seq_length` of its sentence-transformers card. */
const MAX_PIECES = 256

/** all-MiniLM-L6-v2 on ONNX Runtime Web, one thread: mean pooled, normalised. */
export class MiniLM {
  readonly #known = new Map<string, Float32Array>()

  private constructor(
    private readonly session: InferenceSession,
    private readonly tokenizer: Tokenizer,
  ) {}

  /** @param folder has one `.onnx` file and a `tokenizer.json` */
  static async open(folder: string): Promise<MiniLM> {
    const files = await readdir(folder)
    const graph = files.find((file) => file.endsWith('.onnx'))
    if (graph === undefined || !files.includes('tokenizer.json'))
      throw new Error(`${folder} must have an .onnx file and a tokenizer.json`)
    return MiniLM.read(join(folder, graph), join(folder, 'tokenizer.json'))
  }

  /** From the ONNX graph and the tokenizer, by their files. */
  static async read(graph: string, tokenizer: string): Promise<MiniLM> {
    env.wasm.numThreads = 1
    const session = await InferenceSession.create(await readFile(graph))
    return new MiniLM(session, new Tokenizer(JSON.parse(await readFile(tokenizer, 'utf8')), {}))
  }

  /** Embeddings of what is searched, each text encoded once however many ask for it. */
  async remember(texts: readonly string[]): Promise<Float32Array[]> {
    const embeddings: Float32Array[] = []
    for (const text of texts) {
      const embedding = this.#known.get(text) ?? (await this.encode(text))
      this.#known.set(text, embedding)
      embeddings.push(embedding)
    }
    return embeddings
  }

  /** The embedding of one text: alone, because the scales of an int8 graph depend on what else is in the batch. */
  async encode(text: string): Promise<Float32Array> {
    const ids: number[] = this.tokenizer.encode(text).ids
    // A text that is too long loses its end, but not the closing piece.
    const pieces = ids.length > MAX_PIECES ? [...ids.slice(0, MAX_PIECES - 1), ids[ids.length - 1]] : ids
    const tensor = (value: (piece: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from(pieces, (piece) => BigInt(value(piece))),
        [1, pieces.length],
      )
    const inputs: Record<string, Tensor> = {
      input_ids: tensor((piece) => piece),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    }
    const feeds = Object.fromEntries(this.session.inputNames.map((name) => [name, inputs[name]]))
    const output = (await this.session.run(feeds))[this.session.outputNames[0]].data as Float32Array
    return pooled(output, pieces.length)
  }
}

/** MiniLM alone: the cosine between question and turn. */
export function miniLMAlone(model: MiniLM): Contender {
  return { name: 'MiniLM', fill: (exam) => fill(exam, model) }
}

async function fill({ observations }: Exam, model: MiniLM): Promise<Filled> {
  const embeddings = await model.remember(observations.map(line))
  return {
    async rank(cue, k) {
      const asked = await model.encode(cue)
      const hits = embeddings.map((embedding, index) => ({ index, score: dot(asked, embedding) }))
      return hits.sort((a, b) => b.score - a.score).slice(0, k)
    },
    close: async () => {},
  }
}

function pooled(output: Float32Array, pieces: number): Float32Array {
  const sum = new Float32Array(WIDTH)
  for (let i = 0; i < pieces * WIDTH; i++) sum[i % WIDTH] += output[i]
  const norm = Math.sqrt(dot(sum, sum))
  return sum.map((value) => value / norm)
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
