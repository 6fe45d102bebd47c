import { execFile, type ExecFileOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program with the packages that are installed here, and fetches none. */
export const RUN = ['run', '--no-lock', '--no-remote', '--cached-only']
/** What a program may do that reads files and asks no server. */
export const OFFLINE = ['--allow-read', '--allow-env', '--allow-sys', '--deny-net']
/** All that a program may do that uses Deno KV. */
export const WITH_KV = ['--allow-all', '--unstable-kv']

/**
 * Runs a program in Deno, and gives what it prints.
 *
 * @param args permissions, the program, and what it is told
 */
export async function runDeno(args: readonly string[], options: ExecFileOptions = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(denoBinary(), [...RUN, ...args], { ...options, encoding: 'utf8' })
  return stdout
}

/** The binary in the optional dependency of the `deno` package for this machine: no install script has run. */
export function denoBinary(): string {
  const from = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
  const { platform, arch } = process
  const names = [`@deno/${platform}-${arch}-glibc`, `@deno/${platform}-${arch}`]
  for (const name of names) {
    try {
      const binary = join(dirname(from.resolve(`${name}/package.json`)), platform === 'win32' ? 'deno.exe' : 'deno')
      if (existsSync(binary)) return binary
    } catch {
      continue
    }
  }
  throw new Error(`Deno is not installed for ${platform} ${arch}; looked for ${names.join(', ')}`)
}
