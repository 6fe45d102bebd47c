import { spawn } from 'node:child_process'

/** A server that was started by a command. */
export interface Server {
  /** Where it answers, without a slash at the end. */
  readonly origin: string
  stop(): Promise<void>
}

/**
 * Starts a command and waits until it says where it answers.
 *
 * @param cwd Folder in which it runs.
 * @param env What it finds in its environment, beside what is in that of this process.
 */
export function startServer(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Server> {
  // A process group of its own, so that what it starts ends with it.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    return ended
  }
  return new Promise((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        said += piece.toString()
        const port = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(said)?.[1]
        if (port !== undefined && /ready/i.test(said)) resolve({ origin: `http://127.0.0.1:${port}`, stop })
      })
    }
    child.once('error', reject)
    void ended.then(() => reject(new Error(`${command} ended before it was ready: ${said}`)))
  })
}

/**
 * What a server answers in JSON.
 *
 * @throws Error with the text of the answer, when it is not one of success
 */
export async function ask(url: string): Promise<unknown> {
  const response = await fetch(url)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
