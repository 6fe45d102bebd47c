import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { holds } from '../bytes/forms.js'
import type { Exam } from './exam.js'

/** Whether a text of the session that was forgotten stands in a file of the memory that forgot it. */
export async function leftIn(folder: string, exam: Exam): Promise<boolean> {
  const long = exam.turns.filter(({ text }) => (text ?? '').length > 40)
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.startsWith('asked'))
  let [left, kept] = [false, false]
  for (const name of files) {
    const path = join(folder, name)
    if (!(await stat(path)).isFile()) continue
    const bytes = await readFile(path)
    for (const { session, text } of long) {
      if (session === exam.forgotten) left ||= holds(bytes, text!)
      else kept ||= holds(bytes, text!)
    }
  }
  if (!kept) throw new Error('no text that was kept is found in the files, so that they tell nothing')
  return left
}
