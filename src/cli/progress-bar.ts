import { bar } from './bar.js'

const WIDTH = 24
/** Milliseconds between two pictures. */
const INTERVAL = 100

/** How far a piece of work has come. */
export interface WorkProgress {
  /** What is counted, in words: `12 memories`. */
  readonly said: string
  /** Share of the work that is done, 0 to 1; absent when its length is not known. */
  readonly share?: number
}

/** A line on a terminal that shows progress and is gone afterwards. Does nothing where there is no terminal. */
export class ProgressBar {
  readonly #started = performance.now()
  #drawn = -Infinity

  constructor(
    readonly stream: NodeJS.WriteStream,
    readonly name: string,
  ) {}

  update({ said, share }: WorkProgress): void {
    const now = performance.now()
    if (!this.stream.isTTY || now - this.#drawn < INTERVAL) return
    this.#drawn = now
    const seconds = (now - this.#started) / 1000
    const done = share === undefined ? '' : ` ${bar(share, WIDTH).padEnd(WIDTH, '░')} ${Math.floor(share * 100)} %`
    const rest =
      share === undefined || share <= 0 || seconds < 1 ? '' : `, ${Math.ceil((seconds * (1 - share)) / share)} s left`
    const line = `${this.name}${done}  ${said}${rest}`
    this.stream.write(`\r\x1b[2K${line.slice(0, (this.stream.columns || 80) - 1)}`)
  }

  /** Takes the line away. */
  clear(): void {
    if (this.stream.isTTY && this.#drawn > -Infinity) this.stream.write('\r\x1b[2K')
  }
}
