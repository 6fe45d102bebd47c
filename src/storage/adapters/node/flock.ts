import { platform } from 'node:process'

/** What Deno offers of a file that this needs. */
interface DenoFile {
  tryLockSync?(exclusive: boolean): boolean
  close(): void
}

const { Deno } = globalThis as {
  readonly Deno?: { openSync(path: string, options: { readonly read: boolean }): DenoFile }
}

/**
 * Takes the operating system's own lock on a file (flock(2)), which is of the inode and ends with the process. Answers
 * the function that gives it back; `held` when another process or thread has it; `undefined` where the runtime or the
 * file system has no such lock. Deno has one. On Windows it would keep this process itself from reading the file.
 */
export function tryFlock(path: string): (() => void) | 'held' | undefined {
  if (Deno === undefined || platform === 'win32') return undefined
  let file: DenoFile | undefined
  try {
    file = Deno.openSync(path, { read: true })
    const got = file.tryLockSync?.(true)
    if (got === true) return () => file?.close()
    file.close()
    return got === false ? 'held' : undefined
  } catch {
    file?.close()
    return undefined
  }
}
