import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { holds } from '../bytes/forms.js'
import type { Exam } from './exam.js'

/** Whether a text of the session that was forgotten stands in a file of the memory that forgot it. */
export async function leftIn(folder: string, exam: Exam): Promise<boolean> {
  const forgotten = exam.turns.filter(({ session, text }) => session === exam.forgotten && (text ?? '').length > 40)
  if (forgotten.length === 0) throw new Error('the session that is forgotten has no text of more than 40 characters')
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name)
    if (!/^asked/.test(name) || !(await stat(path)).isFile()) continue
    const bytes = await readFile(path)
    if (forgotten.some(({ text }) => holds(bytes, text!))) return true
  }
  return false
}
