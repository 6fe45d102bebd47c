/** What a command that can be interrupted watches. */
export interface Interruption {
  /** Fires at SIGINT and SIGTERM. A second signal ends the process at once. */
  readonly signal: AbortSignal
  /** Lets signals end the process again, as they do by default. */
  release(): void
}

/** Turns SIGINT and SIGTERM into an `AbortSignal`, so that a command can take back what it has half done. */
export function interruption(): Interruption {
  const controller = new AbortController()
  const abort = () => controller.abort()
  process.once('SIGINT', abort).once('SIGTERM', abort)
  return {
    signal: controller.signal,
    release: () => void process.off('SIGINT', abort).off('SIGTERM', abort),
  }
}
