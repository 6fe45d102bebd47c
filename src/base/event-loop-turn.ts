/** The part of a message port that is used here; not all runtimes' types have `onmessage`, though all runtimes do. */
interface Port {
  onmessage: (() => void) | null
  postMessage(message: undefined): void
  close(): void
}

/**
 * Lets the thread do what else waits: calls that came in, an abort. Promises alone do not: they never leave the current
 * task. By a message and not by a timer, which browsers hold back for 4 ms once timers follow upon timers.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const channel = newChannel()
    if (channel === undefined) return void setTimeout(resolve, 0)
    const { port1, port2 } = channel
    port1.onmessage = () => {
      port1.close() // an open port would keep Node alive
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/**
 * A channel of messages, or `undefined` where there is none: older edges lack it; that of Next.js has one that throws.
 */
function newChannel(): Record<'port1' | 'port2', Port> | undefined {
  if (typeof MessageChannel === 'undefined') return undefined
  try {
    return new MessageChannel() as unknown as Record<'port1' | 'port2', Port>
  } catch {
    return undefined
  }
}
