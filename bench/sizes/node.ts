import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Task } from './child.js'
import type { Measured } from './measured.js'
import type { Filled } from './story.js'

/** Fills a folder in one process, opens and asks it in another, and asks MiniSearch the same in a third. */
export async function measureNode(transcripts: readonly string[], count: number, queries: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-sizes-'))
  const run = <T>(task: Task) =>
    inChild<T>([join(folder, 'memory.agidb'), String(count), String(queries), ...transcripts], task)
  try {
    const filled = await run<Filled & Pick<Measured, 'observeCpuMs'>>('fill')
    const asked = await run<Omit<Measured, keyof Filled | 'observeCpuMs'>>({ ask: filled.questions })
    const beside = await run<Pick<Measured, 'miniSearch'>>({ miniSearch: filled.questions })
    return { ...filled, ...asked, ...beside }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inChild<T>(args: readonly string[], task: Task): Promise<T> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), args, {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  child.send(task)
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the process ended with ${code ?? signal}`)
  })
  const [report] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return report as T
}
