import { expect, inject, test } from 'vitest'
import { Project } from '../package/project.js'
import { denoBinary } from '../runtimes/run-deno.js'
import { FIRST, program, remembering, SECOND } from './programs.js'

const project = Project.at(inject('project'), 'commands')

/** Runs a program twice and expects that it remembers. */
async function remembers(command: string, ...args: string[]): Promise<void> {
  for (const said of [FIRST, SECOND]) expect(JSON.parse((await project.run(command, ...args)).stdout)).toEqual(said)
}

const bun = () => `${inject('tools')}/node_modules/@oven/bun-linux-x64/bin/bun`

test('Bun runs it', async () => {
  await project.write('bun.js', program("{ path: './bun.agidb' }"))
  await remembers(bun(), 'run', 'bun.js')
})

test('Bun bundles a program that leaves the library out', async () => {
  await project.write('bundled.js', program("{ path: './bundled.agidb' }"))
  await project.run(bun(), 'build', 'bundled.js', '--target=bun', '--external=agidb', '--outdir=bundled')
  await remembers(bun(), 'run', 'bundled/bundled.js')
})

test('a CommonJS program requires it', async () => {
  const source = program("{ path: './required.agidb' }").replace(
    "import { Agidb } from 'agidb'",
    "const { Agidb } = require('agidb')",
  )
  await project.write('required.cjs', source)
  await remembers(process.execPath, 'required.cjs')
})

test.each([
  'agidb/node',
  'agidb/edge',
  'agidb/browser',
  'agidb/transcript',
  'agidb/onnx',
  'agidb/transformers',
  'agidb/rankers/locomo',
])('a CommonJS program requires %s', async (name) => {
  const { stdout } = await project.run(process.execPath, '--print', `Object.keys(require('${name}')).length > 0`)
  expect(stdout.trim()).toBe('true')
})

test('Jest runs it with ES modules on', async () => {
  const source = `${remembering("{ path: './jest.agidb' }")}
    test('remembers', async () => {
      expect(await remember()).toEqual(${JSON.stringify(FIRST)})
      expect(await remember()).toEqual(${JSON.stringify(SECOND)})
    })
  `
  await project.write('jest/remember.test.js', source)
  await project.write('jest/package.json', JSON.stringify({ type: 'module', jest: { testEnvironment: 'node' } }))
  const jest = Project.at(inject('project'), 'commands/jest')
  jest.environment = { NODE_OPTIONS: '--experimental-vm-modules' }
  const { stderr } = await jest.run(process.execPath, `${inject('tools')}/node_modules/jest/bin/jest.js`)
  expect(stderr).toContain('1 passed')
})

test('Deno runs it with --allow-read and --allow-write alone', async () => {
  await project.write('deno-folder.js', program("{ path: './deno.agidb' }"))
  await remembers(
    denoBinary(),
    'run',
    '--no-lock',
    '--no-prompt',
    '--no-remote',
    '--allow-read',
    '--allow-write',
    'deno-folder.js',
  )
})

test('Deno runs it in memory with --allow-read alone', async () => {
  await project.write('deno-memory.js', program("{ storage: 'memory' }"))
  const { stdout } = await project.run(
    denoBinary(),
    'run',
    '--no-lock',
    '--no-prompt',
    '--no-remote',
    '--allow-read',
    'deno-memory.js',
  )
  expect(JSON.parse(stdout)).toEqual(FIRST)
})
