import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/**
 * Reads the lines that a writer prints until it is killed. A line without its end was being written when the kill came,
 * and is left out. A line that is wrong ends the writer.
 *
 * @param hear takes each line; what it throws says what is wrong.
 * @returns what went wrong: the first error of `hear`, or that the writer ended by itself; `undefined` if nothing did.
 */
export async function linesUntilKilled(
  writer: ChildProcessByStdio<Writable | null, Readable, Readable | null>,
  hear: (line: string) => void,
): Promise<unknown> {
  let failure: unknown
  let rest = ''
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    try {
      parts.forEach(hear)
    } catch (error) {
      failure ??= error
      writer.kill('SIGKILL')
    }
  })
  const [code] = (await once(writer, 'close')) as [number | null]
  if (failure === undefined && code !== null) return new Error(`the writer ended by itself, with exit code ${code}`)
  return failure
}
