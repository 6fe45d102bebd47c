/**
 * The figures of README and docs stand in docs/figures.json, which this command writes, and in the pages' marked parts,
 * which it makes of that file. A test fails where a page differs.
 *
 *     npm run figures                      makes the parts of all pages anew
 *     npm run figures -- record NAME FILE  takes what a measuring command printed or wrote into docs/figures.json first
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { commandLine, UsageError } from '../bench/command.js'
import { thisMachine } from '../bench/machine.js'
import { pages, pathOf, readFigures, STORE } from './figures/pages.js'
import { RECORDERS } from './figures/record.js'
import { renderPage } from './figures/render.js'

const HELP = `
Writes the figures of README and docs.

  npm run figures                      makes the marked parts of all pages anew, of docs/figures.json
  npm run figures -- record NAME FILE  takes the output of a command into docs/figures.json first

NAME and the command whose output FILE has:
${Object.entries(RECORDERS)
  .map(([name, { command }]) => `  ${name.padEnd(15)} ${command}`)
  .join('\n')}
`

const { positionals } = commandLine(HELP, { allowPositionals: true })
const [verb, name, file] = positionals
if (verb !== undefined) record(verb, name, file)
const figures = readFigures()
for (const page of pages()) {
  const before = readFileSync(pathOf(page), 'utf8')
  const after = renderPage(before, figures)
  if (after === before) continue
  writeFileSync(pathOf(page), after)
  console.log(page)
}

/** Takes the output of a command into the store. */
function record(verb: string, name = '', file: string | undefined): void {
  const recorder = RECORDERS[name]
  if (verb !== 'record' || recorder === undefined || file === undefined) {
    throw new UsageError(`expected: record NAME FILE, with one of ${Object.keys(RECORDERS).join(', ')} as NAME`)
  }
  const { date, processor, cores, node } = thisMachine()
  const values = recorder.read(readFileSync(file, 'utf8'))
  const measured = { command: recorder.command, machine: { date, processor, cores, node }, values }
  writeFileSync(STORE, JSON.stringify({ ...readFigures(), [name]: measured }, null, 2) + '\n')
}
