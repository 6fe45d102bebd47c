/** Lets the thread do what else waits: calls that came in, an abort. Promises alone do not: they never leave the current task. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
