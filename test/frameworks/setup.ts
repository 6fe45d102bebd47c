import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { installed } from '../bundlers/tools.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder that holds the programs and examples, beside the packages of the frameworks. */
    frameworks: string
  }
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The frameworks that there are examples of; the others are for other places. */
const EXAMPLES = ['ai-sdk', 'langchain', 'mastra', 'mem0', 'openai-agents']

/** Programs and examples that run with the versions that take Node 20, too: the file, its copy, and what it imports. */
const ON_NODE_20 = [
  ['ai-sdk/chat.mts', 'ai-sdk-6/chat.mts', 'ai', 'ai-6'],
  ['mastra/agent.mts', 'mastra-0/agent.mts', '@mastra/core', 'mastra-0'],
  ['programs/mastra.ts', 'programs/mastra-0.ts', '@mastra/core', 'mastra-0'],
] as const

/**
 * Copies the library, all programs and all examples beside the real packages of the frameworks, so that the library
 * uses those, and checks the types of all in one run of the compiler.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const packages = await installed(join(ROOT, 'test/frameworks'), 'frameworks')
  const folder = await mkdtemp(join(packages, 'run-'))
  await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
  await cp(join(ROOT, 'test/frameworks/programs'), join(folder, 'programs'), { recursive: true })
  for (const name of EXAMPLES) await cp(join(ROOT, 'examples', name), join(folder, name), { recursive: true })
  for (const [from, to, name, alias] of ON_NODE_20) {
    const text = await readFile(join(folder, from), 'utf8')
    await mkdir(join(folder, dirname(to)), { recursive: true })
    await writeFile(join(folder, to), text.replaceAll(`from '${name}`, `from '${alias}`))
  }
  // As `npm init` writes it: the examples have to run there.
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  for (const name of ['programs', 'src']) await writeFile(join(folder, name, 'package.json'), '{ "type": "module" }')
  await linkDependencies(packages, folder)
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, [string]> }
  }
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      // Programs of Node: agidb is its entry there.
      paths: { ...compilerOptions.paths, agidb: ['./src/runtimes/node/index.ts'] },
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: ['programs', 'ai-sdk-6', 'mastra-0', ...EXAMPLES],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  project.provide('frameworks', folder)
  const remove = () => rm(folder, { recursive: true })
  await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsgo'), ['-p', '.'], {
    cwd: folder,
  }).catch(async ({ stdout }: { stdout: string }) => {
    await remove()
    throw new Error(stdout)
  })
  return remove
}

/** Lets the copy of the library find what it depends on, unless that is among the packages of the frameworks. */
async function linkDependencies(packages: string, folder: string): Promise<void> {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: object
    devDependencies: object
  }
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const from = join(ROOT, 'node_modules', name)
    if (existsSync(join(packages, 'node_modules', name)) || !existsSync(from)) continue
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(from, link)
  }
}
