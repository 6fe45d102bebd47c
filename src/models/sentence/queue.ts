import { turn } from '../../base/event-loop-turn.js'

/** Texts that wait, and the latents of those that do not any more. */
interface Job {
  readonly texts: readonly string[]
  readonly latents: Float32Array[]
  readonly resolve: (latents: Float32Array[]) => void
  readonly reject: (error: unknown) => void
}

/** Texts that a model encodes, one at a time. */
export class TextQueue {
  readonly #latentOf: (text: string) => Promise<Float32Array>
  readonly #release: () => Promise<unknown>
  readonly #jobs: Job[] = []
  #working = false
  #closed = false

  /** @param release gives the memory of the model back, once no text is in hand */
  constructor(latentOf: (text: string) => Promise<Float32Array>, release: () => Promise<unknown>) {
    this.#latentOf = latentOf
    this.#release = release
  }

  /** The latents of texts, in order. A call with fewer texts left overtakes one with more. */
  encode(texts: readonly string[]): Promise<Float32Array[]> {
    if (texts.length === 0) return Promise.resolve([])
    return new Promise((resolve, reject) => {
      this.#jobs.push({ texts, latents: [], resolve, reject })
      if (!this.#working) void this.#work()
    })
  }

  /** Gives the memory of the model back, once the text in hand is done; what waits is never answered. */
  async close(): Promise<void> {
    this.#closed = true
    this.#jobs.length = 0
    if (!this.#working) await this.#release()
  }

  async #work(): Promise<void> {
    this.#working = true
    const left = ({ texts, latents }: Job) => texts.length - latents.length
    while (this.#jobs.length > 0) {
      const job = this.#jobs.reduce((a, b) => (left(b) < left(a) ? b : a))
      let over = true
      try {
        job.latents.push(await this.#latentOf(job.texts[job.latents.length]))
        over = left(job) === 0
        if (over) job.resolve(job.latents)
      } catch (error) {
        job.reject(error)
      }
      if (over && !this.#closed) this.#jobs.splice(this.#jobs.indexOf(job), 1)
      await turn() // for a cue that arrived meanwhile
    }
    this.#working = false
    if (this.#closed) await this.#release()
  }
}
