import type { FramePart } from '../../api/sensory.js'
import type { Hypervector } from '../../kernel/port.js'
import type { MemoryContext } from '../context.js'
import type { SensoryBuffer } from './buffer.js'
import type { Expectation } from './expectation.js'
import { type Latent, latentsOf, type Part } from './latents.js'
import type { Expected } from './news.js'
import type { Perceived } from './perceived.js'

/** A frame that is to be judged: what it says, its latent, or its parts. */
export type Judged = Pick<Perceived, 'modality' | 'text' | 'speaker' | 'latent' | 'encoder'> & {
  readonly parts?: readonly Part[]
}

/** How little a frame was to be expected, and each of its parts where it has several. */
export interface Judgement extends Expected {
  readonly parts?: readonly FramePart[]
}

/** Judges frames by what was perceived, remembered and believed of late, and by what is aimed at. */
export class Judge {
  readonly #context: Pick<MemoryContext, 'indexes'>
  readonly #buffer: SensoryBuffer
  readonly #expectation: () => Promise<Expectation>

  constructor(context: Pick<MemoryContext, 'indexes'>, buffer: SensoryBuffer, expectation: () => Promise<Expectation>) {
    this.#context = context
    this.#buffer = buffer
    this.#expectation = expectation
  }

  /**
   * How little a frame was to be expected. Each part of one of several senses is judged by its own modality alone, and
   * the greatest counts: a mean would let what one sense knows hide what is new to another.
   */
  async expected({ parts, ...frame }: Judged, now: number): Promise<Judgement> {
    if (parts === undefined) return this.#expectedOf(frame, now)
    const judged: FramePart[] = []
    let differs: Pick<Expected, 'differsFrom'> = {}
    for (const part of parts) {
      const { surprise, ...other } = await this.#expectedOf({ ...frame, ...part }, now)
      judged.push({ ...part, surprise })
      differs = { ...differs, ...other }
    }
    return { ...differs, surprise: Math.max(...judged.map(({ surprise }) => surprise)), parts: judged }
  }

  /** How much a frame has to do with the nearest active goal: by its words, or by the part that has most. */
  async relevance(frame: Judged, now: number): Promise<number> {
    const expectation = await this.#expectation()
    if (frame.text !== undefined) return expectation.relevance(frame.text)
    let relevance = 0
    for (const one of latentsOf(frame)) relevance = Math.max(relevance, await expectation.relevanceOfLatent(one, now))
    return relevance
  }

  async #expectedOf({ text, speaker, ...own }: Omit<Judged, 'parts'>, now: number): Promise<Expected> {
    const expectation = await this.#expectation()
    const [latent] = latentsOf(own)
    if (latent === undefined) return expectation.ofText({ text: text!, speaker }, now)
    return { surprise: expectation.ofLatent(latent, this.#othersOf(latent, now), now) }
  }

  /** The signatures of the latents in the buffer that can be compared with one. */
  #othersOf({ latent, encoder }: Latent, now: number): Hypervector[] {
    const { kernel } = this.#context.indexes
    return this.#buffer.seen(now).flatMap(({ frame }) =>
      latentsOf(frame)
        .filter((one) => one.encoder === encoder && one.latent.length === latent.length)
        .map((one) => this.#buffer.signature(frame.id, one.modality, () => kernel.project(one.latent))),
    )
  }
}
