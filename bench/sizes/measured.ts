/** What one place says of one size; times in milliseconds. */
export interface Measured {
  readonly observed: number
  readonly observeMs: number
  /** Turns a second in the last tenth of the calls. */
  readonly lastTenth: number
  readonly closeMs: number
  readonly openMs: number
  /** From the call of `open` to the first answer: code and caches are cold. */
  readonly answerMs: number
  readonly recalls: readonly number[]
  /** Within one session, which has a hundredth of all turns. */
  readonly filtered: readonly number[]
  /** Share of the questions whose turn was among the ten. */
  readonly hits: number
  readonly kernelBytes: number
  /** What JavaScript's heap has more than before the memory was opened; in Chromium, all that it has. */
  readonly heapBytes?: number
  /** Likewise what the buffers beside the heap have; in Chromium they are counted with the heap. */
  readonly bufferBytes?: number
  /** Likewise what the process has of main memory. */
  readonly residentBytes?: number
  readonly diskBytes: number
}
