// Runs in the runtime of a place: `program.ts COMMAND PLACE FOLDER TOOLS`.
import { argv, stdin, stdout } from 'node:process'
import { commitOf, visited } from '../crash/numbered-commits.ts'
import { examine, type Exam } from './exam.ts'
import { adapterOf, placeOf } from './process-places.ts'

const [, , command, place, folder, tools] = argv
const commands: Record<string, () => Promise<unknown>> = { examine: exam, write, check }
const answer = await commands[command]()
stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit())

/** Takes the exam on standard input. */
async function exam(): Promise<unknown> {
  let text = ''
  for await (const part of stdin.setEncoding('utf8')) text += String(part)
  return examine(await placeOf(place, folder, tools), JSON.parse(text) as Exam)
}

/** Commits until it is killed, and prints how many are stored, from those that are there. */
async function write(): Promise<never> {
  const found = visited()
  const { rows } = await (await adapterOf(place, folder, tools)).open(found.visit)
  for (let index = found.count().commits; ; index++) {
    await rows.commit(commitOf(index))
    stdout.write(`${index + 1}\n`)
  }
}

/** What a kill left. */
async function check(): Promise<unknown> {
  const found = visited()
  const opened = await (await adapterOf(place, folder, tools)).open(found.visit)
  await opened.close()
  return found.count()
}
