import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Measured } from './measured.js'
import type { Filled, Question } from './story.js'

/** Fills a folder in one process; opens and asks it in another. */
export async function measureNode(transcripts: readonly string[], count: number, queries: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'agidb-sizes-'))
  const run = <T>(message: readonly Question[] | 'fill') =>
    inChild<T>([join(folder, 'memory.agidb'), String(count), String(queries), ...transcripts], message)
  try {
    const filled = await run<Filled & Pick<Measured, 'observeCpuMs'>>('fill')
    const asked = await run<Omit<Measured, keyof Filled | 'observeCpuMs'>>(filled.questions)
    return { ...filled, ...asked }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inChild<T>(args: readonly string[], message: readonly Question[] | 'fill'): Promise<T> {
  const child = fork(fileURLToPath(new URL('child.ts', import.meta.url)), args, {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  child.send(message)
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the process ended with ${code ?? signal}`)
  })
  const [report] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return report as T
}
