import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installed } from '../bundlers/tools.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/**
 * Checks the types of a program against the real package of its framework and against the sources of this library,
 * runs it, and answers what it printed.
 */
export async function runProgram(file: string): Promise<string> {
  const folder = await mkdtemp(join(await installed(join(ROOT, 'test/frameworks'), 'frameworks'), 'run-'))
  try {
    const program = basename(file)
    await copyFile(join(ROOT, file), join(folder, program))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, [string]> }
    }
    const paths = Object.entries(compilerOptions.paths).map(([name, [path]]) => [name, [join(ROOT, path)]] as const)
    const config = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        // A program of Node: agidb is its entry there.
        paths: { ...Object.fromEntries(paths), agidb: [join(ROOT, 'src/runtimes/node/index.ts')] },
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: [program],
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)),
    )
    const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs')
    return (await run(process.execPath, [tsx, program], { cwd: folder })).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}
