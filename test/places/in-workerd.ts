import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorkerd } from '../runtimes/workerd.js'
import type { Exam, Outcome } from './exam.js'
import type { Result } from './result.js'

const ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url))

/** Examines a Durable Object in workerd. */
export async function examineObject(exam: Exam, folder: string): Promise<Result> {
  const title = { place: 'Durable Object', runtime: 'workerd (miniflare)' }
  const own = await mkdtemp(join(folder, 'agidb-place-'))
  const workerd = await startWorkerd(ENTRY, { EXAMINEE: 'Examinee' }, own)
  try {
    const response = await workerd.dispatchFetch('http://localhost/', { method: 'POST', body: JSON.stringify(exam) })
    const text = await response.text()
    return response.ok ? { ...title, ...(JSON.parse(text) as Outcome) } : { ...title, error: text }
  } finally {
    await workerd.dispose()
    await rm(own, { recursive: true, force: true })
  }
}
