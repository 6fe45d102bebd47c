import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = { agidb: 'src/runtimes/node/index.ts', 'agidb/mem0': 'src/adapters/mem0/index.ts' }
const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8')
const [agent, documents, person, mem0] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)

/** Runs a program on the sources of this repository, and gives what it prints. */
function run(code: string): string {
  let program = code
  for (const [name, path] of Object.entries(SOURCES)) program = program.replaceAll(`'${name}'`, `'${join(ROOT, path)}'`)
  const folder = mkdtempSync(join(tmpdir(), 'agidb-recipes-'))
  try {
    writeFileSync(join(folder, 'example.mjs'), program)
    const args = ['--import', import.meta.resolve('tsx'), 'example.mjs']
    return execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the agent is given what was said in the turn before', () => {
  const [question, ...given] = run(agent).split('\n')
  expect(question).toBe('Which thai place was it? I remember:')
  expect(given.join('\n')).toContain('Sarah recommended Bawri, a thai place in Bandra.')
})

test('the passage of a document is found with its path, and beside what was said', () => {
  const printed = run(documents)
  expect(printed).toMatch(/^Kettle > Lime kettle\.md ## Lime\n\nBoil it with vinegar\.\n/)
  expect(printed).toContain('The lid locks with a quarter turn.')
  expect(printed).toContain('Tom broke the lid of the kettle.')
})

test('what a person said, and what was said of her, is shown, forgotten and erased', () => {
  expect(run(person)).toBe("I moved to Hill Road.\n1\n0\n[ 'expired', 'expired' ]\n")
})

test('what mem0 held is found by the calls of mem0', () => {
  expect(run(mem0)).toBe('1\nLoves Bawri, a thai place in Bandra\n')
})
