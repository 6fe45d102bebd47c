import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'

/** What a writer (`write-folder.ts`) has said. */
export interface Said {
  readonly lines: readonly string[]
  /** Resolves when it says such a line. Rejects when it ends before, with what it said. */
  line(start: string): Promise<void>
}

/** Follows what a writer says. */
export function follow(output: Readable): Said {
  const lines: string[] = []
  const listeners = new Set<() => void>()
  let ended = false
  const tell = (): void => listeners.forEach((listener) => listener())
  createInterface(output)
    .on('line', (line) => (lines.push(line), tell()))
    .on('close', () => ((ended = true), tell()))
  return {
    lines,
    line: (start) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.some((line) => line.startsWith(start))
          if (!found && !ended) return
          listeners.delete(look)
          if (found) resolve()
          else reject(new Error(`a writer ended before it said ${start}: ${lines.slice(-3).join(', ')}`))
        }
        listeners.add(look)
        look()
      }),
  }
}

/** The ids that were acknowledged. */
export function acknowledged(...writers: readonly Said[]): string[] {
  return writers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('ok ')).map((line) => line.slice(3)))
}
