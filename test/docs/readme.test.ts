import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const examples = programs(readme)
const recalls = readFileSync(new URL('../../docs/recall.md', import.meta.url), 'utf8')
const node = readFileSync(new URL('../../docs/getting-started-node.md', import.meta.url), 'utf8')
const records = readFileSync(new URL('../../docs/records.md', import.meta.url), 'utf8')
const concepts = readFileSync(new URL('../../docs/concepts.md', import.meta.url), 'utf8')
const graphs = readFileSync(new URL('../../docs/graphs.md', import.meta.url), 'utf8')
const documents = readFileSync(new URL('../../docs/documents.md', import.meta.url), 'utf8')
const neurosymbolic = readFileSync(new URL('../../docs/neurosymbolic.md', import.meta.url), 'utf8')
const floors = readFileSync(new URL('../../docs/floors.md', import.meta.url), 'utf8')

function programs(page: string): string[] {
  return [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
}

/**
 * A program for the browser as it is written for Node: on the sources of this repository, and with a folder in place of
 * a name.
 */
function inNode(code: string): string {
  const source = pathToFileURL(new URL('../../src/runtimes/node/index.ts', import.meta.url).pathname).href
  const changed = code.replace("'agidb'", `'${source}'`).replace(/\{ name: '[a-z-]+' \}/, "{ path: './memory.agidb' }")
  expect(changed).toContain(source)
  expect(changed).toContain('./memory.agidb')
  return changed
}

/** Runs a program as a user would paste it, on the sources of this repository, and gives what it prints. */
function run(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'agidb-readme-'))
  try {
    const file = join(folder, 'example.mts')
    writeFileSync(file, code)
    return execFileSync(process.execPath, ['--import', import.meta.resolve('tsx'), file], {
      encoding: 'utf8',
      cwd: folder,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the first example prints the memory that it asks for', () => {
  expect(run(inNode(examples[0]))).toMatch(/^0\.\d+ similarity Sarah 2026-05-01T19:00:00\.000Z Sarah recommended Bawri/)
})

test('the example of goals and beliefs finds an atom, a belief and a goal', () => {
  const opening = "import { Agidb } from 'agidb'\nconst db = await Agidb.open({ name: 'my-agent' })\n"
  const example = examples.find((code) => code.includes('setGoal'))!
  const [remembered, found, summary] = run(inNode(`${opening}${example}\nawait db.close()\n`)).split('\n')
  expect(remembered).toMatch(/^ep_\w{26}$/)
  const said = 'Sarah recommended Bawri for dinner.'
  expect(found).toBe(`${said} ${said} Bawri is a thai restaurant find a thai place for the team dinner`)
  expect(summary).toBe('So far 1 goal moved: 1 set.')
})

test('the worked example of the floors prints what it says', () => {
  const [code] = programs(floors)
  const [, said] = /It prints\n\n```\n([\s\S]*?)```/.exec(floors)!
  expect(run(inNode(code))).toBe(said)
})

test('the worked example of the life of a record prints what it says', () => {
  const [code] = programs(records)
  const [, said] = /It prints\n\n```\n([\s\S]*?)```/.exec(records)!
  expect(run(inNode(code))).toBe(said)
})

test('the example of recall prints the tier, the next turn and the prompt', () => {
  const [tier, line, prompt] = run(inNode(programs(recalls)[0])).split('\n')
  expect(`${tier}\n${line}`).toMatch(/^(exact|similarity) I booked a table for Friday\.\n/)
  expect(`${line}\n${prompt}`).toContain('Sarah recommended Bawri, a thai place in Bandra.')
})

test('the example of statements and signatures prints what is read back, and what matched', () => {
  expect(run(inNode(programs(neurosymbolic)[0]))).toBe('Bawri 1\nBawri\n')
})

test('the examples of concepts, documents and graphs print what their comments say', () => {
  for (const program of [...programs(concepts), ...programs(documents), ...programs(graphs)]) {
    const printed = Array.from(program.matchAll(/console\.log\(.*\/\/ (.*)/g), ([, said]) => `${said}\n`).join('')
    expect(printed).not.toBe('')
    expect(run(inNode(program))).toBe(printed)
  }
})

test('the example for Node prints what was observed', () => {
  expect(run(inNode(programs(node)[0]))).toBe('Sarah recommended Bawri, a thai place in Bandra.\n')
})
