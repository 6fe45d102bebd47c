/** What is to be summarized. */
export interface SummaryInput {
  /** The contents, in order. */
  readonly texts: readonly string[]
  /** The heading above them, or what they have in common. */
  readonly heading?: string
  /** The most characters that the summary may have. */
  readonly maxCharacters: number
  /**
   * Latents of sentences, unit length: what the codebook makes of them. Absent while there is no codebook, and for a
   * summarizer of a page, whose engine is in a worker.
   *
   * @returns row by row, as many rows as there are sentences
   */
  readonly latentsOf?: (sentences: readonly string[]) => Float32Array[]
}

/** Condenses several texts into one. */
export interface Summarizer {
  /** Stands in summaries as what made them; another id has them made again: `extractive/1`. */
  readonly id: string
  /**
   * Calls may overlap.
   *
   * @returns the summary; `undefined` where the texts give none
   */
  summarize(input: SummaryInput): string | undefined | Promise<string | undefined>
}

/** What makes summaries: the built-in choice of sentences, nothing, or a summarizer of the application's. */
export type Summarize = 'extractive' | 'none' | Summarizer
